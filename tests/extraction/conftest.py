"""A tenant, and a small conversation in a file."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.api.cast import Organisation, organisation

TALK: dict[str, Any] = {
    "sample_id": "talk-1",
    "conversation": {
        "speaker_a": "Mia",
        "speaker_b": "Ben",
        "session_2_date_time": "12:05 am on 1 June, 2023",
        "session_2": [{"speaker": "Ben", "dia_id": "D2:1", "text": "Did the cello lesson go well?"}],
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [
            {"speaker": "Mia", "dia_id": "D1:1", "text": "I started cello lessons!"},
            {"speaker": "Ben", "dia_id": "D1:2", "text": "Great!", "blip_caption": "a photo of a music hall"},
        ],
    },
    "qa": [
        {"question": "Which instrument does Mia learn?", "evidence": ["D1:1"], "category": 4},
        {"question": "What did they talk about twice?", "evidence": ["D1:1; D2:1", "D9:9"], "category": 1},
        {"question": "What is unknown?", "evidence": [], "category": 5},
    ],
}


@pytest.fixture
def acme(db: None) -> Organisation:
    return organisation("acme")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "talks.json"
    path.write_text(json.dumps([TALK]))
    return path
