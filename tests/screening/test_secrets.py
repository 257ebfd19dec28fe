"""Secrets of each kind, and talk about secrets that holds none. What looks like a live key is put together here."""

import pytest

from memory_admin.screening import screen

RANDOM = "a8Xk29dLmQp3Rt7Vw1Yz5Bc6Nf0Hj4Ks2Ue7"
HEX = "9f8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c"
KEYS = [
    "use ghp" + "_" + RANDOM + " to clone",
    "github" + "_pat_11ABCDEFG0" + RANDOM,
    "AKIA" + "QYLPMN5HHHFPZAM2 reads the bucket",
    "AWS_SECRET_ACCESS_KEY" + "=" + RANDOM + "abcd",
    "xoxb" + "-123456789012-abcdefghijkl is the bot",
    "stripe sk" + "_live_51H8abcdEFGHijklMNOP",
    "AIza" + "SyA1234567890abcdefghijklmnopqrstuv",
    "sk" + "-proj-abcd1234efgh5678ijkl",
    "AccountKey" + "=" + RANDOM + "==;EndpointSuffix=core.example.net",
    "npm" + "_abcdefghijklmnopqrstuvwxyz0123456789",
    "glpat" + "-abcdEFGH1234ijklMNOP",
    "eyJhbGciOiJIUzI1NiJ9" + ".eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N",
    "-----BEGIN OPENSSH " + "PRIVATE KEY-----",
    "Authorization: Bearer " + RANDOM,
    "postgres://app:" + "s3cr3t@db.internal:5432/app",
    "Server=db;User Id=sa;" + "Password=abc;",
    "the API key is " + HEX,
    "client_secret: " + RANDOM,
    "Session cookie: sid=" + HEX,
]
WORDS = [
    "my password is hunter2",
    "the wifi password is swordfish",
    "The password for the router is BlueFish77",
    "My streaming password? It's moonlight88",
    "use hunter22 as my password",
    "WLAN-Passwort lautet Sommer2024!",
    "mon mot de passe est Soleil99",
    "la contraseña es Gato2020",
    "login: admin / Passw0rd",
    "log in as admin with s3cr3t!",
    "username bob password tr0ub4dor",
    "Sign in with kara@example.org and Sunflower#9",
    "the gate code is 4471#",
    "safe combination is 14-32-07",
    "the PIN for the debit card is 7741",
    "OTP 482913",
    "Your verification code: 123-456",
    "Bestätigungscode 482 113",
    "code de vérification 123456",
    "cvv is 482",
    "Recovery codes: 8d2f-11ac, 99fe-02bd",
    "recovery phrase is apple banana cherry dog eagle fish grape house igloo jelly kite lemon",
]
TALK = [
    "I forgot my password again.",
    "The password is too weak",
    "Passwords are hashed with argon2.",
    "password reset email was delayed",
    "Prefers passkeys to passwords.",
    "User name and e-mail are required on the login page.",
    "The verification code never arrived.",
    "Use code SAVE20 at checkout.",
    "The token expires after 3600 seconds.",
    "Bearer tokens are used for authentication.",
    "The API key must be rotated monthly.",
    "PIN entry failed three times.",
    "token of appreciation arrived in 2023",
    "security code of practice 2018",
    "Security code review found 1200 lines to change.",
    "The seed phrase is kept in a bank vault.",
    "Commit 9fceb02d0ae598e95dc970b74767f19372d61af8 fixed the auth token refresh",
    "Trace id 4bf92f3577b34da6a3ce929d0e0e4736 shows the failure.",
    "Order 3b1f8c52-77aa-4d0e-9c1b-0a2f6f4d1d9a arrived.",
    "I noticed a dragonfly pin on your purse.",
]


@pytest.mark.parametrize("text", KEYS)
def test_a_key_is_known_by_its_form(text: str) -> None:
    assert screen(text, origin="stated", kind="fact").has("secret")


@pytest.mark.parametrize("text", WORDS)
def test_a_secret_is_known_by_the_words_around_it(text: str) -> None:
    assert screen(text, origin="stated", kind="fact").has("secret")


@pytest.mark.parametrize("text", TALK)
def test_talk_about_secrets_gives_none_away(text: str) -> None:
    screening = screen(text, origin="stated", kind="fact")

    assert [finding.rule for finding in screening.findings if finding.group == "secret"] == []


def test_a_key_broken_up_by_invisible_characters_is_still_a_key() -> None:
    broken = "use ghp" + "_" + "\u200b".join(RANDOM)

    assert screen(broken, origin="stated", kind="fact").has("secret")


def test_no_rule_name_repeats_the_secret() -> None:
    screening = screen("my password is hunter2", origin="stated", kind="fact")

    assert all("hunter2" not in finding.rule for finding in screening.findings)
