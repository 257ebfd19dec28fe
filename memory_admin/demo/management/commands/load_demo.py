"""Load the demo tenant, and write down how to sign in to it."""

import json
import os
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from accounts.services import TenantExists
from memory_admin import env
from memory_admin.demo.services import NamesTaken, is_loaded, load, open_again


class Command(BaseCommand):
    """Load the demo tenant once; a second run changes nothing but a lost file of sign-ins."""

    help = "Load the demo tenant Larkfield and write its sign-ins to demo.json in the data folder."

    def handle(self, *args: Any, **options: Any) -> None:
        path = env.data_dir() / "demo.json"
        is_there = is_loaded()
        if is_there and path.exists():
            self.stdout.write("The demo tenant is loaded already.")
            return
        try:
            found = (open_again if is_there else load)(now=timezone.now())
        except (NamesTaken, TenantExists) as error:
            raise CommandError(str(error)) from error
        opened = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(opened, "w") as file:
            json.dump(found, file, indent=1)
        self.stdout.write("The demo tenant is loaded.")
