"""What was just done is told until somebody does something else."""


def test_a_message_outlives_what_draws_the_page_again_unasked(filled, organiser, open_page):
    def told() -> list[str]:
        return [one.value for one in at.success]

    at = open_page("questions", organiser, filled, **{"manage-notice": "Everybody is told."})
    assert told() == ["Everybody is told."]
    for _ in range(2):
        at.session_state["manage-notice-again"] = True
        at.run()
        assert told() == ["Everybody is told."]
    at.run()
    assert told() == []
