"""Secrets and credentials: keys by their form, passwords and codes by the words around them."""

from collections import Counter
from math import log2

from memory_admin.screening.findings import Finding
from memory_admin.screening.hidden import Reading
from memory_admin.screening.rules import Match, Rule, RuleBook, any_of, set_of

_LEAST_ENTROPY = 3.0  # bits per character; English words of this length stay below or carry no digit
_PASSWORD = any_of(
    """password|passwords|passwd|pass word|passcode|passphrase|pass phrase|pwd|pword|login pin
    |kennwort|passwort|zugangscode|mot de passe|mdp|code secret|contrasena|clave de acceso|senha|parola d'ordine
    |wachtwoord|losenord|haslo|sifre|пароль|пароля|密码|密碼|口令|パスワード|暗証番号|비밀번호"""
)
_IS = (
    r"(?:\?\s*(?:it's|it is|its|is)\s+|\s*(?::|=|->|=>|：)\s*| (?:is|was|are|ist|lautet|est|es|e|era"
    "|jest)(?: still| now| currently| set to| going to be)? | (?:set|changed|reset|updated) to )"
)
_TOKEN_WORD = any_of(
    """api key|api keys|apikey|api_key|api token|api secret|access key|access token|access_token|auth token
    |auth key|authentication token|authorization|refresh token|refresh_token|bearer token|bearer|client secret
    |client_secret|secret key|secret_key|secret|secret access key|session token|session key|session id|sessionid
    |session cookie|signing key|signing secret|webhook secret|encryption key|private key|private token
    |service key|service token|deploy key|deploy token|personal access token|pat|token|license key|licence key
    |master key|root key|subscription key|account key|accountkey|sharedaccesskey|shared access key|storage key
    |connection key|credential|credentials|cookie|sas token|hmac key|schlussel|api schlussel|cle api|clave api
    |chiave api"""
)
_CODE_KIND = any_of(
    """one time|onetime|one-time|verification|otp|totp|2fa|two factor|two-factor|mfa|login|log in|log-in|sign in|sign-in
    |signin|security|authentication|authenticator|auth|confirmation|sms|access|recovery|backup|temporary|einmal
    |bestatigungs|sicherheits|verifizierungs"""
)
_CODE = any_of(
    """code|codes|pin|passcode|password|token|number|bestatigungscode|einmalcode|sicherheitscode|verifizierungscode
    |code de verification|code de securite|code a usage unique|codigo de verificacion|codigo de seguridad
    |codigo de acceso|codice di verifica|codigo de verificacao"""
)
_PLACE = any_of(
    """door|front door|gate|alarm|burglar alarm|safe|lock|padlock|entry|entrance|garage|keypad|vault|lockbox|key box
    |building|house alarm|locker|turcode|alarmanlage|tresor"""
)
_FUNCTION_WORDS = set_of(
    """the a an is are was were be been being am in on at of to for and or but with from by as it its this that
    these those my your his her our their i you he she we they me him them us do does did not no have has had
    will would can could should may might must if then than when where who what which how so because there
    here please keep stored written back up"""
)
# Words after "the password is" that say something about it instead of giving it.
_ABOUT_A_PASSWORD = set_of(
    """a an the my your our his her their its this that too very not no never always also only now still being
    been going getting required needed necessary optional missing empty blank unknown known forgotten lost
    stolen weak strong stronger weaker short long secure insecure safe unsafe wrong incorrect invalid valid
    correct right bad good old new different same similar secret private hidden hashed encrypted saved stored
    kept written managed protected expired expiring changed reset rejected accepted reused shared leaked
    compromised broken used set here there in on at by for from with under inside something someone somewhere
    case important annoying hard easy difficult simple complex complicated up down out about after before due
    like what when where how why who and or but if so because case-sensitive sensitive rotated rotating random
    generated available ready working fine ok okay done enough at least nicht noch sehr zu falsch richtig
    abgelaufen vergessen sicher unsicher gespeichert tres trop pas oublie expire faux muy demasiado no
    incorrecta olvidada vencida segura mia tua"""
)


def _entropy(token: str) -> float:
    """Give the Shannon entropy of a token in bits per character."""
    total = len(token)
    return -sum(count / total * log2(count / total) for count in Counter(token).values())


def _is_random(token: str) -> bool:
    """Tell whether a token is too irregular to be a word, a path or a version."""
    token = token.rstrip(".,;:!?)'\"")
    if len(token) < 16 or "://" in token:
        return False
    has_digit = any(character.isdigit() for character in token)
    has_letter = any(character.isalpha() for character in token)
    return has_digit and has_letter and _entropy(token) >= _LEAST_ENTROPY


def _has_random_token(match: Match) -> bool:
    return _is_random(match.group(1))


def _is_given_password(match: Match) -> bool:
    """Tell whether the word after "the password is" is the password rather than a remark about it."""
    value = match.group(1).strip("\"'`“”(),;").rstrip(".!?")
    return len(value) >= 3 and value not in _ABOUT_A_PASSWORD and not value.endswith(("ing", "n't"))


def _has_odd_character(value: str) -> bool:
    return any(not character.isalpha() for character in value.rstrip(".,;:!?")) and len(value) >= 4


def _is_login_pair(match: Match) -> bool:
    return _has_odd_character(match.group(1).strip("\"'`(),;"))


def _is_code(match: Match) -> bool:
    """Tell whether the digits can be a code; four digits that read like a year are not."""
    digits = "".join(character for character in match.group(1) if character.isdigit())
    return 4 <= len(digits) <= 8 and _is_short_code(match)


def _is_short_code(match: Match) -> bool:
    digits = "".join(character for character in match.group(1) if character.isdigit())
    return len(digits) != 4 or digits[:2] not in ("19", "20")


def _is_seed(match: Match) -> bool:
    """Tell whether the listed words are a seed phrase: many, and none that holds a sentence together."""
    words = [word for word in match.group(1).replace(",", " ").split() if word.isalpha()]
    return len(words) >= 8 and not _FUNCTION_WORDS.intersection(words)


def _form(name: str, pattern: str) -> Rule:
    return Rule(code="credential", name=name, pattern=pattern)


FORMS = RuleBook(
    "secret",
    [
        _form("aws_access_key", r"\b(?:AKIA|ASIA|ABIA|ACCA|AROA|AIDA)[A-Z0-9]{16}\b"),
        _form("github", r"\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,})"),
        _form("gitlab", r"\bgl(?:pat|dt|rt|soat|cbt|ptt|ft|imt|agent|oas)-[A-Za-z0-9_-]{16,}"),
        _form(
            "slack",
            r"\bxox[a-z]-[A-Za-z0-9-]{10,}|\bxapp-[A-Za-z0-9-]{10,}|hooks\.slack\.com/(?:services"
            "|workflows)/[A-Za-z0-9/_-]{12,}",
        ),
        _form("stripe", r"\b(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{10,}|\bwhsec_[A-Za-z0-9+/=]{16,}"),
        _form(
            "google",
            r"\bAIza[A-Za-z0-9_-]{30,}|\bya29\.[A-Za-z0-9_-]{20,}|\bGOCSPX-[A-Za-z0-9_-]{20,}"
            r"|\b1//0[A-Za-z0-9_-]{30,}",
        ),
        _form(
            "azure",
            r"\b(?:AccountKey|SharedAccessKey|SharedAccessSignature)=[^;\s]{16,}|[?&]sig=[A-Za-z0-9%+/=]{20,}"
            r"|\b[A-Za-z0-9_~.-]{3}[78]Q~[A-Za-z0-9_~.-]{20,}",
        ),
        _form(
            "model_provider",
            r"\bsk-(?:proj-|svcacct-|admin-|ant-[a-z0-9]+-|or-v1-|lf-)?[A-Za-z0-9_-]{18,}|\b(?:hf|gsk|xai|pplx"
            "|r8|nvapi)[_-][A-Za-z0-9_-]{24,}",
        ),
        _form(
            "package_registry",
            r"\bnpm_[A-Za-z0-9]{30,}|\bpypi-[A-Za-z0-9_-]{24,}|\brubygems_[a-f0-9]{40,}"
            r"|\bdckr_pat_[A-Za-z0-9_-]{20,}|\bcio[A-Za-z0-9]{32}\b",
        ),
        _form(
            "hosting",
            r"\bdo[opr]_v1_[a-f0-9]{40,}|\bdapi[a-f0-9]{32}\b|\bhv[sbr]\.[A-Za-z0-9_-]{20,}"
            r"|\bpscale_[a-z]+_[A-Za-z0-9_-]{20,}|\bfo1_[A-Za-z0-9_-]{30,}|\bFlyV1 [A-Za-z0-9+/=_,-]{30,}"
            r"|\bHRKU-[A-Za-z0-9_-]{20,}|\bsbp_[a-f0-9]{40}|\bnfp_[A-Za-z0-9]{30,}|\bvercel_[A-Za-z0-9]{20,}",
        ),
        _form(
            "mail_and_chat",
            r"\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}|\bkey-[a-f0-9]{32}\b|\b\d{8,10}:AA[A-Za-z0-9_-]{30,}"
            r"|\b[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,}|\bSK[a-f0-9]{32}\b"
            r"|\b[a-f0-9]{32}-us\d{1,2}\b|discord(?:app)?\.com/api/webhooks/\d+/[A-Za-z0-9_-]{20,}",
        ),
        _form(
            "business",
            r"\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}|\bsq0[a-z]{3}-[A-Za-z0-9_-]{20,}|\bEAA[A-Za-z0-9]{60,}"
            r"|\bATATT3[A-Za-z0-9_=-]{20,}|\blin_(?:api|oauth)_[A-Za-z0-9]{30,}|\bntn_[A-Za-z0-9]{40,}"
            r"|\bsecret_[A-Za-z0-9]{40,}|\bdp\.(?:pt|st|ct)\.[A-Za-z0-9_.-]{30,}|\bPMAK-[a-f0-9-]{30,}"
            r"|\bNRAK-[A-Z0-9]{20,}|\bglsa_[A-Za-z0-9_]{30,}|\bsntrys_[A-Za-z0-9+/=_]{30,}"
            r"|\bfigd_[A-Za-z0-9_-]{30,}|\bpat[A-Za-z0-9]{14}\.[a-f0-9]{40,}",
        ),
        _form(
            "web_token",
            r"\beyJ[A-Za-z0-9_-]{6,}\.[A-Za-z0-9_-]{6,}\.[A-Za-z0-9_-]{4,}"
            r"|\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{6,}",
        ),
        _form(
            "private_key",
            "-----BEGIN[A-Z0-9 ]{0,30}PRIVATE KEY|PuTTY-User-Key-File|AGE-SECRET-KEY-1[A-Z0-9]{20,}"
            r"|\bb3BlbnNzaC1rZXktdjE|\bMII[A-Z][A-Za-z0-9+/]{40,}",
        ),
        _form(
            "wallet_key",
            r"\b[KL][1-9A-HJ-NP-Za-km-z]{51}\b|\b5[HJK][1-9A-HJ-NP-Za-km-z]{49}\b|\b[xyz]prv[A-Za-z0-9]{60,}",
        ),
        _form(
            "authorization_header",
            r"(?i)\bauthorization\s*[:=]\s*[\"']?(?:basic|bearer|token|digest)\s+[A-Za-z0-9._~+/=-]{8,}",
        ),
        Rule(
            code="credential",
            name="bearer",
            pattern=r"(?i)\bbearer\s+([A-Za-z0-9._~+/=-]{16,})",
            accept=_has_random_token,
        ),
        _form(
            "address_with_password",
            r"(?i)\b[a-z][a-z0-9+.-]{1,20}://[^\s:/@\"'<>]{0,64}:[^\s@/\"'<>]{1,128}@[A-Za-z0-9\[]",
        ),
        _form(
            "connection_string",
            "(?i)(?:server|host|data source|user id|uid|dsn"
            r"|endpoint)\s*=[^;\n]{1,100};(?:[^;\n]{0,100};){0,6}\s*(?:password|pwd|accesskey"
            r"|sharedaccesskey)\s*=\s*[^;\s]{1,100}",
        ),
        _form(
            "environment",
            r"\b[A-Z][A-Z0-9_]{0,40}(?:SECRET|TOKEN|PASSWORD|PASSWD|PASS|API_?KEY|PRIVATE_KEY"
            r"|ACCESS_KEY)[A-Z0-9_]{0,20}\s*[=:]\s*[\"']?[^\s\"'$<{]{6,}",
        ),
        _form(
            "command_line",
            r"(?i)\b(?:mysql|psql|mysqldump|mongo|mongosh|redis-cli|curl|sshpass|ldapsearch|smbclient"
            r"|wget)\b[^\n]{0,80} (?:-p\s?[^\s-][^\s]{3,}|--?(?:password|passwd|pass|token)[= ][^\s]{4,}"
            r"|-u\s+[^\s:]{1,40}:[^\s]{3,}|-a\s+[^\s]{8,})",
        ),
    ],
    keeps_case=True,
)

WORDS = RuleBook(
    "secret",
    [
        Rule(
            code="password",
            name="said",
            pattern=rf"(?:\b|^){_PASSWORD}(?: (?:for|to|of|on|at|fur|zum|von|pour|de|du|para"
            rf"|del)(?: [\w.'@-]+){{1,5}})?{_IS}[\"'`(]?([^\s]{{3,}})",
            accept=_is_given_password,
        ),
        Rule(
            code="password",
            name="short_word",
            pattern=r"\b(?:pass|pw|pin|clave|parola|haslo)(?:\s*[:=]\s*| (?:is|es|e|to) )[\"'`(]?([^\s]{4,})",
            accept=lambda match: _has_odd_character(match.group(1)) and any(c.isdigit() for c in match.group(1)),
        ),
        Rule(
            code="password",
            name="unspaced_script",
            pattern=r"(?:密码|密碼|口令|パスワード|暗証番号|비밀번호)(?:是|为|為|は|：|:|는|은|\s)*([!-~]{4,})",
        ),
        Rule(
            code="password",
            name="named_after",
            pattern=r"[\"'`]?([^\s\"'`]{4,})[\"'`]? (?:as|is|for|als|ist) (?:the|my|our|your|his|her|their|das|mein"
            rf"|unser)(?: [\w-]+){{0,3}} {_PASSWORD}\b",
            accept=lambda match: _has_odd_character(match.group(1)) and any(c.isdigit() for c in match.group(1)),
        ),
        Rule(
            code="password",
            name="after_user",
            pattern=r"\b(?:user|username|user name|login|log in|account|uid|benutzer|utilisateur|usuario)[ :=]+(?:is "
            r"|as )?[^\s,;/]{2,40}[\s,;/&]+(?:and |with |with the )?(?:password|pass|pw|pwd|passwort|kennwort"
            r"|mot de passe|contrasena)\s*[:= ]\s*(?:is )?([^\s]{3,})",
            accept=_is_given_password,
        ),
        Rule(
            code="login_pair",
            name="said",
            pattern=r"\b(?:login|log-in|log in|logon|logins|credentials|creds|sign in|sign-in|signin|account details"
            r"|zugangsdaten|anmeldedaten|identifiants|credenciales|credenziali)\b[^\n!?]{0,60}?(?:\bis\b|\bare\b"
            r"|\bwith\b|\bas\b|\bsind\b|\bsont\b|\bson\b|:|=)\s*[\"'`(]?[\w.@+-]{2,64}[\"'`]?(?:\s*[/|:,]\s*"
            r"|\s+and\s+|\s+with\s+|\s+)[\"'`]?([^\s]{4,})",
            accept=_is_login_pair,
            unless=r"https?://|\b(?:minutes|hours|days|times|am|pm)\b",
        ),
        Rule(
            code="login_pair",
            name="pair",
            pattern=r"\b(?:log in|log into|login|sign in|sign into|authenticate|connect"
            r"|ssh)\b[^\n.!?]{0,40}? (?:with|as"
            r"|using) [\"'`]?[\w.@+-]{2,64}[\"'`]?(?:\s*[/|:]\s*| and | with )[\"'`]?([^\s]{4,})",
            accept=_is_login_pair,
            unless=r"https?://",
        ),
        Rule(
            code="login_pair",
            name="slashed",
            pattern=r"\b(?:use|with|as|via|try|enter)\s+[\w.@+-]{2,40}\s*/\s*([^\s/]{4,})\s+(?:to|for|at|on"
            r"|when) (?:the )?(?:\w+ )?(?:log|login|logging|sign|signin|portal|account|access|get in|connect"
            r"|router|server|dashboard)\b",
            accept=_is_login_pair,
        ),
        Rule(
            code="one_time_code",
            name="recovery",
            pattern=r"\b(?:recovery|backup|rescue|emergency) codes?\b[^\w\n]{0,4}(?:(?:are|is"
            r"|for [\w ]{1,20})[^\w\n]{1,4})?[a-z0-9]{3,8}-[a-z0-9]{3,8}\b",
        ),
        Rule(
            code="one_time_code",
            name="said",
            pattern=rf"\b{_CODE_KIND}[ -]?{_CODE}\b[^\d\n]{{0,40}}?\b(\d{{3}}[ -]?\d{{3}}|\d{{4}}[ -]?\d{{4}}"
            r"|\d{4,8})\b",
            accept=_is_code,
            unless=r"\b(?:case|ticket|order|page|section|clause|line|build|practice|iso|rfc|post) (?:code )?#?\d"
            r"|code (?:review|of|scan|audit|base|quality|path)\b",
        ),
        Rule(
            code="one_time_code",
            name="short",
            pattern=r"\b(?:otp|totp|2fa|mfa|tan|cvv|cvc|cvv2|security code|einmalcode|bestatigungscode|sicherheitscode"
            "|code de verification|code de securite|code a usage unique|codigo de verificacion"
            "|codigo de seguridad|codice di verifica|验证码|認証コード|인증번호"
            r"|код подтверждения)\b?(?:[^\d\n]{0,24}?)(\d{3}[ -]?\d{3}|\d{3,8})\b",
            accept=_is_short_code,
            unless=r"code (?:review|of|scan|audit|base|quality|path)\b",
        ),
        Rule(
            code="one_time_code",
            name="said_before",
            pattern=r"\b(\d{3}[ -]?\d{3}|\d{4,8}) (?:is|was|as) (?:your|my|the|our|his|her)(?: [\w-]+){0,3} (?:code|otp"
            r"|pin|passcode)\b",
            unless=r"(?:zip|postal|post|area|country|dial|error|status|discount|promo|source) code",
        ),
        Rule(
            code="access_code",
            name="place",
            pattern=rf"\b{_PLACE}(?: [\w'-]+){{0,2}} (?:code|combination|combo|pin|passcode|keypad code"
            r"|zahlencode)\b[^\d\n.!?]{0,30}?([\d][\d #*-]{2,14})",
        ),
        Rule(
            code="access_code",
            name="place_after",
            pattern=r"\b(?:code|combination|combo|pin|passcode) (?:for|to|of) (?:the|my|our|his|her"
            rf"|their) (?:[\w'-]+ ){{0,2}}{_PLACE}\b[^\d\n.!?]{{0,30}}?([\d][\d #*-]{{2,14}})",
        ),
        Rule(
            code="access_code",
            name="pin",
            pattern=r"\bpin(?: (?:code|number))?(?: (?:for|to|of|on)(?: [\w'-]+){1,4})?(?:\s*[:=]\s*| (?:is|was|ist|est"
            r"|es) )[\"']?\d{4,8}\b",
        ),
        Rule(
            code="seed_phrase",
            pattern=r"\b(?:seed|mnemonic|recovery|backup|wallet|secret recovery"
            "|secret)(?: (?:phrase|words|seed|mnemonic"
            r"|sentence|key))+\b[^\w]{0,4}(?:(?:is|are|was|for|my|the|wallet|of|it"
            r"|goes) ?){0,5}[^\w]{0,6}((?:(?:\d{1,2}[.)]\s*)?[a-z]{3,10}[\s,.;-]+){7,}"
            r"(?:\d{1,2}[.)]\s*)?[a-z]{3,10})",
            accept=_is_seed,
        ),
        Rule(
            code="seed_phrase",
            name="counted",
            pattern=r"\b(?:12|15|18|24|twelve|fifteen|eighteen|twenty four"
            r"|twenty-four)[ -]?words?\b[^:\n]{0,60}:\s*((?:[a-z]{3,10}[\s,]+){9,}[a-z]{3,10})",
            accept=_is_seed,
        ),
        Rule(
            code="security_answer",
            pattern=r"\b(?:answer to (?:my|the|his|her|their) (?:security|secret|recovery) question"
            r"|security (?:question )?answer|secret answer)\b[^.\n]{0,60}?(?: is |:|=)\s*\S{2,}",
        ),
    ],
)

NAMED_TOKENS = RuleBook(
    "secret",
    [
        Rule(
            code="credential",
            name="named_token",
            pattern=rf"(?i)\b{_TOKEN_WORD}\b(?:[^\w.!?\n]+[\w'-]{{1,15}}){{0,5}}?[^\w\n]+([A-Za-z0-9_\-+/=.~]{{16,}})",
            accept=_has_random_token,
            unless=r"(?i)\b(?:commit|sha|sha1|sha256|order|ticket|build|revision|digest|checksum|uuid|trace|request id"
            r"|issue|invoice|version|tracking)\b[^\n]{0,12}[0-9a-f-]{7,}|token ring|public key|ssh-(?:rsa"
            "|ed25519) AAAA",
        ),
        Rule(
            code="credential",
            name="assigned",
            pattern=r"(?i)\b[\w-]{0,30}(?:secret|token|password|passwd|api_?key|apikey|access_?key|private_?key"
            r"|client_?secret|auth_?key)[\"']?\s*(?:=|:|=>)\s*[\"']?([A-Za-z0-9_\-+/=.~!@#$%^&*]{8,})",
            accept=lambda match: (
                _has_odd_character(match.group(1))
                and any(c.isdigit() for c in match.group(1))
                and "://" not in match.group(1)
            ),
        ),
    ],
    keeps_case=True,
)


def find_secrets(reading: Reading) -> list[Finding]:
    """Find credentials, passwords, codes and seed phrases; their text must be stored nowhere."""
    return [finding for book in (FORMS, WORDS, NAMED_TOKENS) for finding in book.findings(reading)]
