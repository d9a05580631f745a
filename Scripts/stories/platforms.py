"""Servers that behave as the documents of X API v2 and Instagram's business discovery say."""

import json
import re
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

X_TOKEN, INSTAGRAM_TOKEN, OWN_ID = "hush-x", "hush-instagram", "17841400000000000"


NEWEST = time.time()


def stamp(number):
    """The time of a post: one minute after the post before."""
    return time.gmtime(NEWEST - 60 * (10_000 - number))


class Platforms:
    """Accounts by lowercase name; posts are (number, text) from oldest to newest. Counts the requests.

    An edited post on X is (new number, text, first number). A deleted one is removed from the list.
    """

    def __init__(self, x, instagram, protected=()):
        self.x, self.instagram, self.protected, self.requests, self.is_limited = x, instagram, protected, [], False
        # Seconds in `Retry-After`, which X leaves out with a 429; the number of pages on X before the limit, or None without one.
        self.retry_after, self.page_budget = None, None
        # Rows that each page of X and Instagram contains in addition, with values of the wrong type.
        self.broken = []
        platforms = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                url = urlsplit(self.path)
                query = {name: values[0] for name, values in parse_qs(url.query).items()}
                platforms.requests.append(self.path)
                token = self.headers.get("Authorization", "").removeprefix("Bearer ")
                status, body, headers = platforms.answer(url.path, query, token)
                content = json.dumps(body).encode()
                self.send_response(status)
                for name, value in ({"Content-Type": "application/json", "Content-Length": str(len(content))} | headers).items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        base = f"http://127.0.0.1:{self.server.server_port}"
        self.settings = {
            "BSC_SYNC_X_URL": base, "BSC_SYNC_X_TOKEN": X_TOKEN, "BSC_SYNC_INSTAGRAM_URL": f"{base}/v23.0",
            "BSC_SYNC_INSTAGRAM_TOKEN": INSTAGRAM_TOKEN, "BSC_SYNC_INSTAGRAM_ACCOUNT": OWN_ID}

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def answer(self, path, query, token):
        if path.startswith("/v23.0/"):
            if token != INSTAGRAM_TOKEN:
                return 400, {"error": {"code": 190, "message": "Invalid OAuth access token."}}, {}
            return self.discovery(path.split("/")[2], query)
        if token != X_TOKEN:
            return 401, {"title": "Unauthorized", "status": 401}, {}
        if self.is_limited:
            wait = {"Retry-After": str(self.retry_after)} if self.retry_after else self.reset()
            return 429, {"title": "Too Many Requests"}, wait
        if path == "/2/users/by":
            return self.users(query["usernames"].split(","))
        if path == "/2/tweets":
            return self.lookup(query["ids"].split(","))
        if self.page_budget is None:
            return self.timeline(re.fullmatch(r"/2/users/(\d+)/tweets", path)[1], query)
        if self.page_budget == 0:
            return 429, {"title": "Too Many Requests"}, self.reset() | {"x-rate-limit-remaining": "0"}
        self.page_budget -= 1
        status, body, headers = self.timeline(re.fullmatch(r"/2/users/(\d+)/tweets", path)[1], query)
        return status, body, headers | self.reset() | {"x-rate-limit-remaining": str(self.page_budget)}

    @staticmethod
    def reset():
        return {"x-rate-limit-reset": str(int(time.time()) + 900)}

    # X

    def users(self, names):
        known = sorted(self.x)
        data = [{"id": str(1000 + known.index(name)), "username": name.title(), "name": f"Coach {name}",
                 "protected": name in self.protected} for name in names if name in self.x]
        errors = [{"title": "Not Found Error", "value": name} for name in names if name not in self.x]
        return 200, {"data": data} | ({"errors": errors} if errors else {}), {}

    def timeline(self, account, query):
        name = sorted(self.x)[int(account) - 1000]
        if name in self.protected:
            return 200, {"errors": [{"title": "Authorization Error"}]}, {}
        since, until, size = int(query.get("since_id", 0)), int(query.get("until_id", 1 << 60)), int(query["max_results"])
        posts = [post for post in sorted(self.x[name], reverse=True) if since < post[0] < until]
        begin = int(query.get("pagination_token", "p0")[1:])
        page = posts[begin:begin + size]
        meta = {"result_count": len(page)}
        if page:
            meta |= {"newest_id": str(page[0][0]), "oldest_id": str(page[-1][0])}
        if begin + size < len(posts):
            meta["next_token"] = f"p{begin + size}"
        data = [{"id": str(number), "text": text[:280], "lang": "en",
                 "created_at": time.strftime("%Y-%m-%dT%H:%M:%S.000Z", stamp(number)),
                 "edit_history_tweet_ids": [str(each) for each in (*first, number)]}
                | ({"note_tweet": {"text": text}} if len(text) > 280 else {}) for number, text, *first in page]
        data += self.broken
        return 200, ({"data": data} if data else {}) | {"meta": meta}, {}

    def lookup(self, ids):
        posts = {str(number): text for name in self.x for post in self.x[name] for number, text in
                 ((post[0], post[1]), (post[-1] if len(post) > 2 else post[0], post[1]))}
        data = [{"id": each, "text": posts[each], "edit_history_tweet_ids": [each]} for each in ids if each in posts]
        errors = [{"title": "Not Found Error", "resource_type": "tweet", "resource_id": each, "value": each,
                   "type": "https://api.twitter.com/2/problems/resource-not-found"} for each in ids if each not in posts]
        return 200, ({"data": data} if data else {}) | ({"errors": errors} if errors else {}), {}

    # Instagram

    def discovery(self, own, query):
        match = re.fullmatch(
            r"business_discovery\.username\(([\w.]+)\)\{id,name,media(?:\.after\((\w+)\))?\.limit\((\d+)\)"
            r"\{caption,permalink,timestamp\}\}", query["fields"])
        if own != OWN_ID or match is None:
            return 400, {"error": {"code": 100, "message": "Invalid parameter"}}, {}
        name, after, size = match[1], int((match[2] or "c0")[1:]), int(match[3])
        if name not in self.instagram:
            return 400, {"error": {"code": 110, "message": "Invalid user id"}}, {}
        posts = list(reversed(self.instagram[name]))
        page = posts[after:after + size]
        data = [{"permalink": f"https://www.instagram.com/p/P{number}/", "id": str(number),
                 "timestamp": time.strftime("%Y-%m-%dT%H:%M:%S+0000", stamp(number))}
                | ({"caption": text} if text else {}) for number, text in page] + self.broken
        paging = {"cursors": {"before": f"c{after}", "after": f"c{after + size}"}} if after + size < len(posts) else {}
        media = {"data": data} | ({"paging": paging} if paging else {})
        account = {"id": "9001", "name": f"Coach {name}", "media": media}
        return 200, {"business_discovery": account, "id": own}, {"x-app-usage": '{"call_count":12}'}
