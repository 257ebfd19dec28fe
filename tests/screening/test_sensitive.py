"""Sensitive categories: what is said outright, what a habit gives away, and who concluded it."""

import pytest

from memory_admin.screening import CATEGORIES, screen

SENSITIVE = [
    ("health", "Had a kidney transplant in 2020."),
    ("health", "I'm recovering from knee surgery."),
    ("health", "Probably has ADHD, judging by the way he jumps between topics."),
    ("health", "I am eight weeks pregnant."),
    ("health", "Takes blood pressure pills every morning."),
    ("health", "Ich habe Diabetes."),
    ("health", "J'ai un cancer du sein."),
    ("health", "Tengo depresión."),
    ("health", "Was admitted to the psychiatric ward in May."),
    ("health", "Uses a CPAP machine at night."),
    ("health", "My eyesight is failing because of glaucoma."),
    ("health", "She seems to have an eating disorder."),
    ("health", "Ordered a pregnancy test twice this week."),
    ("health", "I have severe anxiety."),
    ("sex_life", "He is bisexual."),
    ("sex_life", "I came out as gay last year."),
    ("sex_life", "Uses Grindr every night; presumably gay."),
    ("religion", "I am Jewish and keep kosher."),
    ("religion", "Prays five times a day."),
    ("religion", "User is an atheist."),
    ("religion", "Ich bin katholisch."),
    ("religion", "Asked for Diwali off, so probably Hindu."),
    ("religion", "Sings in the church choir."),
    ("politics", "I'm a member of the Green Party."),
    ("politics", "Votes conservative."),
    ("politics", "Probably a Trump supporter."),
    ("politics", "I went to the protest against the government."),
    ("politics", "Ich wähle die SPD."),
    ("politics", "Reads far-right forums daily."),
    ("union_membership", "I joined the union last spring."),
    ("union_membership", "Pays dues to IG Metall."),
    ("union_membership", "He organises the strike at the plant."),
    ("union_membership", "Je suis syndiqué à la CGT."),
    ("ethnicity", "I'm of Kurdish descent."),
    ("ethnicity", "Is Black and grew up in Ohio."),
    ("ethnicity", "Probably Chinese, given the name."),
    ("ethnicity", "I am Māori."),
    ("biometric", "My voiceprint is used to unlock the phone."),
    ("biometric", "Face ID template was stored."),
    ("biometric", "Iris scan on file with the airport."),
    ("genetic", "23andMe says I carry the Huntington's gene."),
    ("genetic", "My DNA test came back."),
    ("immigration", "I'm an asylum seeker."),
    ("immigration", "My residence permit runs out in June."),
    ("immigration", "Overstayed her visa, apparently."),
    ("immigration", "Ich habe nur eine Duldung."),
    ("criminal_record", "I spent two years in prison."),
    ("criminal_record", "Was arrested for drunk driving."),
    ("criminal_record", "Er ist vorbestraft."),
    ("criminal_record", "I have a criminal record."),
    ("criminal_record", "Meets his probation officer on Mondays."),
    ("finances", "I owe 12,000 euros on my credit cards."),
    ("finances", "Earns 4,500 euros a month."),
    ("finances", "I filed for bankruptcy in March."),
    ("finances", "My credit score is 540."),
    ("finances", "Struggles to pay the mortgage."),
    ("finances", "Ich habe Schulden."),
    ("minors", "My son Leo is 9."),
    ("minors", "Her 12-year-old daughter plays chess."),
    ("minors", "I'm 15 years old."),
    ("minors", "Picks up the kids from Hill Primary School at 3."),
    ("minors", "Meine Tochter ist 7 Jahre alt."),
    ("precise_location", "My GPS position is 48.85837, 2.29448."),
    ("precise_location", "Is at 51.50722,-0.12750 right now."),
    ("precise_location", "Location history shows nights at the same flat."),
    ("health", "I'm bipolar and take lithium."),
    ("health", "I'm recovering from an eating disorder."),
    ("religion", "I belong to the Baptist church."),
    ("criminal_record", "I'm on parole until June."),
    ("politics", "I'm a member of the Left party."),
    ("immigration", "My immigration case is still open."),
    ("finances", "I make 52k a year before tax."),
    ("health", "I lost my pregnancy in March."),
    ("ethnicity", "I'm half Māori."),
    ("health", "My wife and I use a fertility clinic."),
    ("health", "Asks for gluten-free and insulin pens; may be diabetic."),
    ("religion", "Posts from a mosque weekly, seems to be Muslim."),
    ("politics", "Probably left-wing given the petitions he signs."),
    ("criminal_record", "Looks for cheap lawyers and bail bonds, likely facing charges."),
    ("sex_life", "Appears to be dating men."),
    ("finances", "Often late with card payments, so must be short of money."),
    ("health", "Uses a screen reader; probably blind."),
    ("health", "Calls in sick on Mondays, suggests a drinking problem."),
    ("ethnicity", "Her surname suggests she is of Vietnamese descent."),
    ("health", "Shops for baby clothes and skips wine, might be expecting."),
]
INFERRED = [
    ("health", "Buys insulin needles, so probably diabetic."),
    ("health", "Takes lithium daily, which suggests bipolar disorder."),
    ("health", "Visits the clinic on Mill Lane, which treats eating disorders."),
    ("religion", "Attends mosque on Fridays, likely Muslim."),
    ("religion", "Asked for Diwali off, so probably Hindu."),
    ("sex_life", "Often visits gay bars, so he is probably gay."),
    ("union_membership", "Attends branch meetings: likely a union member."),
    ("finances", "Asks about bankruptcy lawyers, seems to be in trouble."),
    ("health", "Kauft Folsäure und ist vermutlich schwanger."),
]
EVERYDAY = [
    "Works in cancer research.",
    "Has a diabetic cat named Miso.",
    "Wants a conservative estimate.",
    "Is allergic to peanuts.",
    "Learned the butterfly stroke.",
    "The race condition was fixed.",
    "Volunteers at the homeless shelter.",
    "Lives near Union Square.",
    "The API is undocumented.",
]


@pytest.mark.parametrize(("category", "text"), SENSITIVE)
def test_a_sensitive_statement_is_put_in_its_category(category: str, text: str) -> None:
    assert category in screen(text, origin="stated", kind="fact").categories


@pytest.mark.parametrize(("category", "text"), INFERRED)
def test_a_trait_that_was_concluded_says_so(category: str, text: str) -> None:
    screening = screen(text, origin="inferred", kind="fact")

    assert category in screening.categories
    assert "trait_inferred" in screening.codes


@pytest.mark.parametrize("text", EVERYDAY)
def test_a_word_out_of_its_context_is_not_sensitive(text: str) -> None:
    assert screen(text, origin="stated", kind="fact").categories == ()


def test_a_statement_of_the_person_infers_nothing() -> None:
    screening = screen("I have asthma.", origin="stated", kind="fact")

    assert screening.codes == ("health_condition",)


def test_every_category_is_known_by_name() -> None:
    assert {category for category, _ in SENSITIVE} == set(CATEGORIES)
