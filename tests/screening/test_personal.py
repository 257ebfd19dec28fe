"""Personal data is cut out and leaves a placeholder that says what stood there."""

import pytest

from memory_admin.screening import screen

REDACTED = [
    ("Pay with 5500 0000 0000 0004 please.", "Pay with [card number] please."),
    ("Visa 4012888888881881", "Visa [card number]"),
    ("IBAN DE89 3704 0044 0532 0130 00 please", "IBAN [bank account] please"),
    ("sort code 12-34-56 account 12345678", "sort code [bank account] account [bank account]"),
    ("SSN: 219-09-9999", "SSN: [social security number]"),
    ("social security number 078-05-1120", "social security number [social security number]"),
    ("passport number X1234567", "passport number [identity number]"),
    ("NHS number 943 476 5919", "NHS number [identity number]"),
    ("DNI 12345678Z", "DNI [identity number]"),
    ("Call +44 7700 900123 after six", "Call [phone number] after six"),
    ("my number is (555) 012-3456", "my number is [phone number]"),
    ("tel: 030/1234567", "tel: [phone number]"),
    ("06 12 34 56 78", "[phone number]"),
    ("Mail anna.b+x@mail.example.org.", "Mail [e-mail address]."),
    ("write to jo at example dot com", "write to [e-mail address]"),
    ("Home is 7 Alder Close, York YO1 7HH.", "Home is [postal address]."),
    ("Wohnt in der Lindenallee 4, 50968 Köln", "Wohnt in der [postal address]"),
    ("J'habite 12 rue de la Paix, 75002 Paris", "J'habite [postal address]"),
    ("Vivo en Calle Mayor 5, 28013 Madrid", "Vivo en [postal address]"),
    ("lives at 12 rowan close", "lives at [postal address]"),
    ("born on 4 March 1984", "born on [date of birth]"),
    ("DOB: 1990-05-17", "DOB: [date of birth]"),
]
KEPT = [
    "Order 3b1f8c52-77aa-4d0e-9c1b-0a2f6f4d1d9a arrived.",
    "Server 192.168.100.200 rebooted 2024-05-12 10:30:22",
    "Invoice number 1234567890 is due.",
    "Order number 20240115 shipped.",
    "version 1.2.3.4567890",
    "lives 10 minutes from the park",
    "Meet at 10:30 on Park Row.",
]


@pytest.mark.parametrize(("text", "redacted"), REDACTED)
def test_personal_data_is_replaced_by_its_placeholder(text: str, redacted: str) -> None:
    assert screen(text, origin="stated", kind="fact").redacted == redacted


@pytest.mark.parametrize("text", KEPT)
def test_other_numbers_stay(text: str) -> None:
    assert screen(text, origin="stated", kind="fact").redacted == text


def test_a_number_broken_up_by_invisible_characters_is_cut_out_whole() -> None:
    screening = screen("card 4111\u200b 1111 11\u200b11 1111!", origin="stated", kind="fact")

    assert screening.redacted == "card [card number]!"


def test_sixteen_digits_that_fail_the_check_are_no_card() -> None:
    assert "card_number" not in screen("batch 4111 1111 1111 1112", origin="stated", kind="fact").codes
