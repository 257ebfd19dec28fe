"""Run inside an installation: the organisation north with its agent's keys, and Mia, who signs in there."""

from __future__ import annotations

import json
import sys

from accounts.vocabulary import Channel
from tests.api.cast import organisation
from tests.factories import person

PASSWORD = "four plain words here"


def found() -> None:
    """Make them, and write one line of JSON that says how to come in."""
    house = organisation("north")
    mia = person(house, "mia")
    mia.user.set_password(PASSWORD)
    mia.user.save()
    keys = {
        str(channel): house.caller(channel=channel).key
        for channel in Channel
        if channel not in (Channel.PORTAL, Channel.CONSOLIDATION)
    }
    sys.stdout.write(json.dumps({"keys": keys, "email": mia.user.email, "password": PASSWORD}) + "\n")
