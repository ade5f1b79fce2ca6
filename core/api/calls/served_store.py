"""A running server's collections as frames: the same ones as from its store."""

import io
import json
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, OpenerDirector, Request, build_opener

import pandas as pd

from core.errors import BadInput, DissentError, NotAllowed, NotFound, TooLittleData

_KINDS = {one.__name__: one for one in (NotAllowed, NotFound, TooLittleData)}
_TIMEOUT = 300


def connect(url: str, token: str, *, names: bool = False) -> "ServedStore":
    """Read the collections of a running server, as ``open_store`` reads those of a file.

    Parameters
    ----------
    url : str
        Where the server is: ``https://judge.example``. Nothing is asked of it yet.
    token : str
        A personal token that allows to read: from the page *Account*, or ``dissent token``.
    names : bool, default False
        Show assessors by id and name; for tokens of organisers.

    Raises
    ------
    BadInput
        The address is none of a server.

    Examples
    --------
    >>> import dissent
    >>> store = dissent.connect("https://judge.example", "dissent_…")  # doctest: +SKIP
    >>> labels = store.labels("DL19")  # doctest: +SKIP
    """
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise BadInput(f"'{url}' is no address of a server, as https://judge.example is")
    return ServedStore(url.rstrip("/"), token, names=names)


class ServedStore:
    """The collections of a running server; ``connect`` makes it.

    Methods, columns and errors are those of ``open_store``. They also raise NotAllowed where the
    token does not hold or allow it, and DissentError where the server cannot be reached. Viewers'
    tokens have no frames of single assessors' labels.
    """

    def __init__(self, url: str, token: str, *, names: bool) -> None:
        self.url, self._token, self._has_names = url, token, names
        self._opener = _build_opener()

    def __repr__(self) -> str:
        return f"ServedStore({self.url!r})"

    def collections(self) -> pd.DataFrame:
        """As ``open_store(…).collections``: those that are open to the token."""
        return _read_frame(self._ask("frames/collections"))

    def topics(self, collection: str = "") -> pd.DataFrame:
        """As ``open_store(…).topics``."""
        return self._frame("topics", collection)

    def subtopics(self, collection: str = "") -> pd.DataFrame:
        """As ``open_store(…).subtopics``."""
        return self._frame("subtopics", collection)

    def documents(self, collection: str = "") -> pd.DataFrame:
        """As ``open_store(…).documents``."""
        return self._frame("documents", collection)

    def results(self, collection: str = "") -> pd.DataFrame:
        """As ``open_store(…).results``."""
        return self._frame("results", collection)

    def runs(self, collection: str = "") -> pd.DataFrame:
        """As ``open_store(…).runs``."""
        return self._frame("runs", collection)

    def scales(self, collection: str = "") -> pd.DataFrame:
        """As ``open_store(…).scales``."""
        return self._frame("scales", collection)

    def declaration(self, collection: str = "") -> dict[str, Any]:
        """As ``open_store(…).declaration``."""
        found: dict[str, Any] = json.loads(
            self._ask(f"collections/{self._find(collection)}/declaration", names=False)
        )
        return found

    def rounds(self, collection: str = "") -> pd.DataFrame:
        """As ``open_store(…).rounds``."""
        return self._frame("rounds", collection)

    def progress(
        self, collection: str = "", *, round: str = "", table: str = "topics"
    ) -> pd.DataFrame:
        """As ``open_store(…).progress``."""
        return self._frame("progress", collection, round=round, table=table)

    def assessors(self, collection: str = "") -> pd.DataFrame:
        """As ``open_store(…).assessors``."""
        return self._frame("assessors", collection)

    def machines(self, collection: str = "") -> pd.DataFrame:
        """As ``open_store(…).machines``."""
        return self._frame("machines", collection)

    def machine_answers(self, collection: str = "") -> pd.DataFrame:
        """As ``open_store(…).machine_answers``."""
        return self._frame("machine_answers", collection)

    def aspects(self, collection: str = "") -> pd.DataFrame:
        """As ``open_store(…).aspects``."""
        frame = self._frame("aspects", collection)
        return frame.assign(facets=frame["facets"].map(tuple))

    def labels(
        self,
        collection: str = "",
        *,
        everybody: bool = False,
        aspect: str = "",
        discussed: bool = False,
    ) -> pd.DataFrame:
        """As ``open_store(…).labels``."""
        return self._frame(
            "labels", collection, everybody=everybody, aspect=aspect, discussed=discussed
        )

    def passages(self, collection: str = "") -> pd.DataFrame:
        """As ``open_store(…).passages``."""
        return self._frame("passages", collection)

    def paradata(self, collection: str = "") -> pd.DataFrame:
        """As ``open_store(…).paradata``."""
        return self._frame("paradata", collection)

    def adjudications(self, collection: str = "") -> pd.DataFrame:
        """As ``open_store(…).adjudications``."""
        return self._frame("adjudications", collection)

    def preferences(
        self, collection: str = "", *, everybody: bool = False, discussed: bool = False
    ) -> pd.DataFrame:
        """As ``open_store(…).preferences``."""
        return self._frame("preferences", collection, everybody=everybody, discussed=discussed)

    def reasons(
        self, collection: str = "", *, everybody: bool = False, discussed: bool = False
    ) -> pd.DataFrame:
        """As ``open_store(…).reasons``."""
        return self._frame("reasons", collection, everybody=everybody, discussed=discussed)

    def export(
        self,
        kind: str,
        collection: str = "",
        *,
        everybody: bool = False,
        discussed: bool = False,
        aspect: str = "",
        parquet: bool = False,
        tool: str = "",
        log: str = "",
    ) -> bytes:
        """As ``open_store(…).export``."""
        path = f"collections/{self._find(collection)}/files/{quote(kind, safe='')}"
        asked = {"aspect": aspect, "parquet": parquet, "tool": tool, "log": log}
        return self._ask(path, everybody=everybody, discussed=discussed, **asked)

    def gold(self, collection: str = "") -> pd.DataFrame:
        """As ``open_store(…).gold``."""
        return self._frame("gold", collection)

    def qrels_versions(
        self, collection: str = "", *, facet: str = "", aspect: str = ""
    ) -> pd.DataFrame:
        """As ``open_store(…).qrels_versions``."""
        return self._frame("qrels_versions", collection, facet=facet, aspect=aspect)

    def qrels(
        self,
        version: str = "",
        collection: str = "",
        *,
        facet: str = "",
        aspect: str = "",
        discussed: bool = False,
    ) -> pd.DataFrame:
        """As ``open_store(…).qrels``."""
        return self._frame(
            "qrels", collection, version=version, facet=facet, aspect=aspect, discussed=discussed
        )

    def _frame(self, name: str, collection: str, **options: Any) -> pd.DataFrame:
        return _read_frame(self._ask(f"collections/{self._find(collection)}/frames/{name}",
                                     **options))  # fmt: skip

    def _find(self, collection: str) -> str:
        """Return the id of a collection, as a part of an address."""
        known = self.collections()
        if collection:
            found = known[(known["collection_id"] == collection) | (known["name"] == collection)]
            if found.empty:
                raise NotFound(f"There is no collection called '{collection}' on this server.")
        elif known.empty:
            raise NotFound("There is no collection on this server.")
        elif len(known) > 1:
            listed = ", ".join(known["name"])
            raise BadInput(f"say which of {listed}", field="collection")
        else:
            found = known
        return quote(str(found["collection_id"].iloc[0]), safe="")

    def _ask(self, path: str, **options: Any) -> bytes:
        names = {"names": True} if self._has_names and path.startswith("collections/") else {}
        given = {
            name: "true" if value is True else value
            for name, value in (names | options).items()
            if value
        }
        query = f"?{urlencode(given)}" if given else ""
        request = Request(
            f"{self.url}/api/v1/{path}{query}", headers={"Authorization": f"Bearer {self._token}"}
        )
        try:
            with self._opener.open(request, timeout=_TIMEOUT) as answer:
                return bytes(answer.read())
        except HTTPError as error:
            with error:
                raise _understand(error.code, error.read()) from None
        except (URLError, OSError) as error:
            reason = getattr(error, "reason", error)
            raise DissentError(f"The server {self.url} cannot be reached: {reason}.") from error


class _NoRedirect(HTTPRedirectHandler):
    """Follows no redirection: the token would go along, wherever it leads."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


def _build_opener() -> OpenerDirector:
    return build_opener(_NoRedirect())


def _read_frame(content: bytes) -> pd.DataFrame:
    return pd.read_parquet(io.BytesIO(content))


def _understand(status: int, content: bytes) -> DissentError:
    """Return the error that the server tells of, as it would be raised beside its store."""
    try:
        fields = json.loads(content)
        kind, detail = str(fields["type"]).rpartition(":")[2], str(fields["detail"])
    except (ValueError, KeyError, TypeError):
        return DissentError(f"The server answered with status {status}. Is it Dissent's address?")
    if kind == "BadInput":
        return BadInput(detail, field=str(fields.get("field", "")))
    if status == 401:
        return NotAllowed(f"{detail} {fields.get('advice', '')}".strip())
    return _KINDS.get(kind, DissentError)(detail)
