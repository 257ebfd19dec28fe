"""How requests are read: named fields of one type each, everything else is refused."""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, ClassVar, Final

from django.http import QueryDict
from rest_framework import serializers
from rest_framework.request import Request

from accounts.services import REF, BadReference
from memory_admin.api.problems import Problem
from memory_admin.api.renderers import dump

LONGEST_STATEMENT: Final = 4_000  # characters
LARGEST_VALUE: Final = 4_000  # bytes of JSON
EARLIEST: Final = datetime(1000, 1, 1, tzinfo=UTC)
LATEST: Final = datetime(3000, 1, 1, tzinfo=UTC)

_NAME = re.compile(r"[a-z][a-z0-9_]{0,63}", re.ASCII)
_RFC_3339 = re.compile(
    r"\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(\.\d{1,9})?([Zz]|[+-]\d{2}:\d{2})",
    re.ASCII,
)


class In(serializers.Serializer[Any]):
    """The base of everything that is read from a body."""

    @classmethod
    def read(cls, request: Request) -> dict[str, Any]:
        """Read the body of a request.

        :raises Problem: 400, with one entry for each field that is missing, unknown or unacceptable
        """
        return cls._checked(request.data)

    @classmethod
    def _checked(cls, data: object) -> dict[str, Any]:
        asked = cls(data=data)
        if not asked.is_valid():
            raise _invalid(asked.errors)
        validated: dict[str, Any] = asked.validated_data
        return validated

    def to_internal_value(self, data: Any) -> Any:
        named = set(data) if isinstance(data, Mapping) else set()
        error = serializers.ErrorDetail("This field is unknown.", code="unknown_field")
        unknown = {name: [error] for name in named - set(self.fields)}
        try:
            read = super().to_internal_value(data)
        except serializers.ValidationError as refused:
            known = refused.detail if isinstance(refused.detail, dict) else {}
            raise serializers.ValidationError({**known, **unknown}) from None
        if unknown:
            raise serializers.ValidationError(unknown)
        return read


class Filters(In):
    """The base of everything that is read from a query string."""

    @classmethod
    def read(cls, request: Request) -> dict[str, Any]:
        """Read the query string of a request; a filter given twice is refused unless it is a list.

        :raises Problem: 400, as for a body
        """
        return cls._checked(_single(request.query_params, cls()))


class Text(serializers.CharField):
    """A text, as it was sent: never a number turned into one, never trimmed."""

    def __init__(self, **options: Any) -> None:
        options.setdefault("trim_whitespace", False)
        options.setdefault("max_length", 255)
        super().__init__(**options)

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class Words(Text):
    """A text that somebody can read: not blank once what cannot be seen is taken away."""

    default_error_messages: ClassVar[dict[str, Any]] = {"blank": "This field may not be blank."}

    def __init__(self, **options: Any) -> None:
        options.setdefault("max_length", LONGEST_STATEMENT)
        super().__init__(**options)

    def to_internal_value(self, data: Any) -> str:
        words = super().to_internal_value(data)
        if not _is_readable(words):
            self.fail("blank")
        return words


class Name(serializers.RegexField):
    """A short name in lower-case ASCII, such as a category, a scope or a profile key."""

    default_error_messages: ClassVar[dict[str, Any]] = {
        "invalid": "A name has small letters, digits and . _ : / -, and begins with a letter or a digit.",
    }

    def __init__(self, **options: Any) -> None:
        options.setdefault("max_length", 64)
        super().__init__(r"\A[a-z0-9][a-z0-9._:/-]*\Z", trim_whitespace=False, **options)

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


def refuse_bad_name(name: str, *, field: str) -> None:
    """Let a name of an address pass that could stand in a body, too.

    :raises Problem: 400
    """
    try:
        Name().run_validation(name)
    except serializers.ValidationError as error:
        raise _invalid({field: error.detail}) from None


class SubjectRef(serializers.RegexField):
    """A subject by its kind and name: ``user:u-817``."""

    default_error_messages: ClassVar[dict[str, Any]] = {"invalid": BadReference.sentence}

    def __init__(self, **options: Any) -> None:
        super().__init__(rf"\A{REF.pattern}\Z", max_length=200, trim_whitespace=False, **options)

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class Moment(serializers.DateTimeField):
    """An RFC 3339 time with its offset, kept in UTC, between the years 1000 and 3000."""

    default_error_messages: ClassVar[dict[str, Any]] = {
        "invalid": "A time must read like 2026-05-08T12:00:00+02:00.",
        "range": "A time must lie between the years 1000 and 3000.",
    }

    def to_internal_value(self, value: Any) -> datetime:
        if not isinstance(value, str) or not _RFC_3339.fullmatch(value):
            self.fail("invalid")
        try:
            moment = datetime.fromisoformat(value.upper()).astimezone(UTC)
        except OverflowError:
            self.fail("range")
        except ValueError:
            self.fail("invalid")
        if not EARLIEST <= moment < LATEST:
            self.fail("range")
        return moment


class OneOf(serializers.ChoiceField):
    """One of a few words; the error names them, and never what was sent."""

    def __init__(self, choices: Any, **options: Any) -> None:
        super().__init__(choices, **options)
        self.error_messages["invalid_choice"] = f"This takes one of: {', '.join(map(str, self.choices))}."


class Number(serializers.FloatField):
    """A number: never a text that reads like one, never true or false."""

    def to_internal_value(self, data: Any) -> float:
        if isinstance(data, bool) or not isinstance(data, int | float):
            self.fail("invalid")
        return super().to_internal_value(data)


class Share(Number):
    """A number between 0 and 1."""

    def __init__(self, **options: Any) -> None:
        super().__init__(min_value=0.0, max_value=1.0, **options)


class Whole(serializers.IntegerField):
    """A whole number; in a query string written in digits."""

    def to_internal_value(self, data: Any) -> int:
        written = isinstance(data, str) and isinstance(self.parent, Filters)
        if not written and (isinstance(data, bool) or not isinstance(data, int)):
            self.fail("invalid")
        return super().to_internal_value(data)


class YesNo(serializers.BooleanField):
    """true or false; in a query string written as such."""

    def to_internal_value(self, data: Any) -> bool:
        if isinstance(self.parent, Filters):
            data = {"true": True, "false": False}.get(data)
        if not isinstance(data, bool):
            self.fail("invalid", input=data)
        return data


class Value(serializers.JSONField):
    """Any JSON value of at most 4,000 bytes."""

    default_error_messages: ClassVar[dict[str, Any]] = {"too_large": "The value is larger than 4,000 bytes."}

    def to_internal_value(self, data: Any) -> Any:
        if len(dump(data)) > LARGEST_VALUE:
            self.fail("too_large")
        return super().to_internal_value(data)


def _invalid(errors: Any) -> Problem:
    sentence = "Some fields are missing, unknown or not acceptable."
    return Problem(400, "invalid_request", sentence, errors=list(_flat(errors)))


def _is_readable(words: str) -> bool:
    return any(unicodedata.category(char)[0] not in "CZM" for char in unicodedata.normalize("NFKC", words))


def _single(sent: QueryDict, reader: serializers.Serializer[Any]) -> dict[str, Any]:
    given: dict[str, Any] = {}
    for name, values in sent.lists():
        if isinstance(reader.fields.get(name), serializers.ListField):
            given[name] = values
        elif len(values) == 1:
            given[name] = values[0]
        else:
            # Not a text, so the field itself refuses it.
            given[name] = values
    return given


def _flat(errors: Any, at: str = "") -> Iterator[dict[str, str]]:
    """Write the nested errors of a serializer as a list; names that the caller made up are never repeated."""
    if isinstance(errors, Mapping):
        for name, inner in errors.items():
            yield from _flat(inner, at + _step(name) if at else _step(name).lstrip("."))
    elif isinstance(errors, list) and any(isinstance(inner, Mapping | list) for inner in errors):
        for number, inner in enumerate(errors):
            yield from _flat(inner, at + _step(number))
    else:
        for error in errors:
            yield {"field": at, "code": str(error.code), "detail": str(error)}


def _step(name: object) -> str:
    if isinstance(name, int):
        return f"[{name}]"
    if name == "non_field_errors":
        return ""
    return f".{name}" if _NAME.fullmatch(str(name)) else ".?"
