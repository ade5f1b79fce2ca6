"""Whether the server and its store answer."""

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse

from pages.shared.server import server


async def show_health(_: Request) -> JSONResponse:
    """Answer with status 200 when the store can be read."""
    await run_in_threadpool(lambda: server().store.cursor().execute("SELECT 1").fetchone())
    return JSONResponse({"status": "ok"})
