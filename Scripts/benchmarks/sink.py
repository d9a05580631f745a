"""A server that discards uploads: chunks as in Google Cloud Storage, or one PUT. Prints its URL."""

import asyncio
import os
import re

from aiohttp import web


async def put(request):
    stored, content_range = request.app["state"]["stored"], request.headers.get("Content-Range", "")
    async for data in request.content.iter_any():
        stored += len(data)
    request.app["state"]["stored"] = stored
    total = re.search(r"/(\d+)$", content_range)
    if not content_range or total and stored == int(total[1]):
        return web.Response()
    return web.Response(status=308, headers={"Range": f"bytes=0-{stored - 1}"} if stored else {})


async def delete(request):
    request.app["state"]["stored"] = 0
    return web.Response()


async def main():
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    app = web.Application()
    app["state"] = {"stored": 0}
    app.router.add_put("/upload", put)
    app.router.add_delete("/upload", delete)
    runner = web.AppRunner(app, access_log=None, read_bufsize=1 << 20)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    print(f"http://127.0.0.1:{runner.addresses[0][1]}/upload", flush=True)
    await asyncio.Event().wait()


asyncio.run(main())
