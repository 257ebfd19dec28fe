"""Reading conversations from a file."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memory_admin.extraction.conversations import UnreadableConversation, claims, read


def test_sessions_come_in_their_order_with_their_times(file: Path) -> None:
    [talk] = read(file)

    assert [(session.name, session.held_at) for session in talk.sessions] == [
        ("session_1", datetime(2023, 5, 8, 13, 56, tzinfo=UTC)),
        ("session_2", datetime(2023, 6, 1, 0, 5, tzinfo=UTC)),
    ]
    assert talk.subject_ref == "user:talk-1"


def test_each_turn_becomes_an_observed_event_of_its_speaker(file: Path) -> None:
    [talk] = read(file)

    first, second, third = claims(talk)

    assert (first.kind, first.origin, first.statement) == ("event", "observed", "I started cello lessons!")
    assert first.valid_from == datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
    assert first.source is not None
    assert (first.source.trace_id, first.source.message_id, first.source.position, first.source.speaker) == (
        "talk-1/session_1",
        "D1:1",
        0,
        "Mia",
    )
    assert second.statement == "Great! [shares a photo of a music hall]"
    assert third.source is not None
    assert (third.source.trace_id, third.source.position) == ("talk-1/session_2", 0)


def test_questions_name_their_evidence_even_several_in_one_string(file: Path) -> None:
    [talk] = read(file)

    assert [question.evidence for question in talk.questions] == [{"D1:1"}, {"D1:1", "D2:1", "D9:9"}, set()]


@pytest.mark.parametrize(
    "content",
    [
        "{",
        "{}",
        '[{"conversation": {"session_1": []}}]',
        '[{"conversation": {"session_1": [], "session_1_date_time": "yesterday"}}]',
        '[{"conversation": {"session_1": [{"text": "a"}], "session_1_date_time": "1:56 pm on 8 May, 2023"}}]',
        "[3]",
    ],
)
def test_a_file_of_another_shape_is_refused_with_its_place(tmp_path: Path, content: str) -> None:
    path = tmp_path / "talks.json"
    path.write_text(content)

    with pytest.raises(UnreadableConversation):
        read(path)


def test_a_conversation_without_a_name_is_numbered(tmp_path: Path, file: Path) -> None:
    content = json.loads(file.read_text())
    del content[0]["sample_id"]
    file.write_text(json.dumps(content))

    assert read(file)[0].subject_ref == "user:conversation-1"
