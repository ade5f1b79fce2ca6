"""A job: which machine judges which part, how it is asked, and for how much at most."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from core.errors import BadInput
from core.prompting.budget import Limits, Prices
from core.prompting.choices import LONGEST_TEXT, PARAMETERS, TRIES
from core.prompting.endpoint import Endpoint, read_endpoint
from core.prompting.selection import Selection
from core.prompting.template import Template
from core.store.machines.jobs import JobRecord
from core.store.machines.machines import Machine

_OURS = ("model", "messages", "response_format", "stream", "n")
_OUTPUT = ("max_tokens", "max_completion_tokens")
_LONGEST_PARAMETER = "longest_text"
_LONGEST_NAME = 200


@dataclass(frozen=True)
class Job:
    """What an organiser asks for.

    Parameters
    ----------
    machine : str
        The name of the assessor to whom the labels are given, and its id.
    model : str
        The name by which the server knows the model.
    endpoint : Endpoint
    template : Template
    part : Selection
    parameters : mapping
        What is sent beside the model and the messages, as JSON has it: temperature, say.
    longest : int
        Characters of a text that are sent; what follows is cut off.
    tries : int
        How often an item is asked, where asking failed, before it is given up.
    limits : Limits
    prices : Prices, optional
        Needed for a limit in money.

    Raises
    ------
    BadInput
        A name is missing, or a number or parameter cannot be used.
    """

    machine: str
    model: str
    endpoint: Endpoint
    template: Template
    part: Selection = field(default_factory=Selection)
    parameters: Mapping[str, Any] = field(default_factory=lambda: dict(PARAMETERS))
    longest: int = LONGEST_TEXT
    tries: int = TRIES
    limits: Limits = field(default_factory=Limits)
    prices: Prices | None = None

    def __post_init__(self) -> None:
        for what, name in (("machine", self.machine), ("model", self.model)):
            if not name.strip() or not name.isprintable() or len(name) > _LONGEST_NAME:
                raise BadInput(
                    f"the {what} needs a name of one line, at most {_LONGEST_NAME} characters",
                    field=what,
                )
        if self.longest < 1 or self.tries < 1:
            raise BadInput("at least one character is sent, and an item is asked at least once")
        for name in self.parameters:
            if name in (*_OURS, _LONGEST_PARAMETER):
                raise BadInput(f"'{name}' is set by Dissent and is no parameter", field=name)
        _check_money(self.limits, self.prices)
        if self.limits.money is not None and self.most_output is None:
            raise BadInput(
                "a budget in money needs max_tokens as a whole number from 1: without it nobody "
                "knows what an answer can cost",
                field="max_tokens",
            )

    @property
    def most_output(self) -> int | None:
        """How many tokens an answer can have; None where nothing says it."""
        given = [self.parameters[one] for one in _OUTPUT if one in self.parameters]
        return given[0] if given and type(given[0]) is int and given[0] > 0 else None

    @property
    def description(self) -> Machine:
        """What is known of the machine that judges in this job."""
        parameters = {**self.parameters, _LONGEST_PARAMETER: self.longest}
        return Machine(self.machine, self.model, prompt=self.template.text, parameters=parameters)

    def most_cost(self, body: bytes) -> float:
        """Return the most that a request can cost: a token has at least one byte."""
        if self.prices is None:
            return 0.0
        return self.prices.cost(len(body), self.most_output or 0)


def _check_money(limits: Limits, prices: Prices | None) -> None:
    given = [limits.requests, limits.money]
    given += [prices.input, prices.output] if prices is not None else []
    if any(not (math.isfinite(one) and one >= 0) for one in given if one is not None):
        raise BadInput("budgets and prices are numbers from 0")
    if limits.money is not None and prices is None:
        raise BadInput(
            "a budget in money needs the prices of a million tokens, in and out", field="money"
        )


def read_job(record: JobRecord, machine: Machine) -> Job:
    """Return the job that was stored, to go on with it.

    Raises
    ------
    BadInput
        The machine is described by another prompt now.
    """
    template = Template("the prompt of the job", machine.prompt)
    if template.sha256 != record.prompt_hash:
        raise BadInput(
            f"job {record.job_id} cannot go on: its prompt is not that of the machine any more"
        )
    parameters = json.loads(record.parameters)
    longest = parameters.pop(_LONGEST_PARAMETER)
    prices = None
    if record.input_price is not None and record.output_price is not None:
        prices = Prices(record.input_price, record.output_price)
    part = json.loads(record.part)
    return Job(
        machine.name,
        record.model,
        read_endpoint(record.endpoint),
        template,
        Selection(**part | {"topics": tuple(part["topics"])}),
        parameters,
        longest,
        record.tries,
        Limits(record.most_requests, record.most_money),
        prices,
    )
