from tests.api.cast import anonymous


def test_the_process_says_that_it_lives(db: None) -> None:
    assert anonymous("GET", "/api/v1/livez").status_code == 200


def test_readiness_names_each_thing_it_needs(db: None) -> None:
    answered = anonymous("GET", "/api/v1/readyz")

    assert answered.status_code == 200
    assert answered.json() == {
        "status": "ready",
        "database": True,
        "audit_writable": True,
        "broker": True,
        "outbox_lag_seconds": 0.0,
    }
