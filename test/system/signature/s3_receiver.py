"""A storage with the one verb of S3 that connectors use. It verifies AWS Signature Version 4 from the request as it came, and keeps what it gets: nothing of Selo, nothing installed.

    s3_receiver.py FOLDER ACCESS_KEY SECRET REGION [HELD]
    s3_receiver.py --self-test

Prints its port, then a line of JSON for each PUT: {path, sha256, fault}. A wrong signature is 403. The answer to a PUT whose path ends with HELD waits until the file FOLDER/go exists.
"""

import datetime
import hashlib
import hmac
import http.server
import json
import os
import re
import sys
import threading
import time
import urllib.parse

ALGORITHM = "AWS4-HMAC-SHA256"


def canonical_request(method, target, headers, signed, payload):
    """`headers` are pairs as they came; the path is escaped once, as S3 wants it."""
    path, _, query = target.partition("?")
    # Whoever signs another form of the path than it sends is refused.
    path = urllib.parse.quote(urllib.parse.unquote(path, errors="strict"), safe="/-_.~")
    pairs = sorted(
        (urllib.parse.quote(urllib.parse.unquote(name), safe="-_.~"), urllib.parse.quote(urllib.parse.unquote(value), safe="-_.~"))
        for name, _, value in (part.partition("=") for part in query.split("&") if part)
    )
    lines = []
    for name in signed:
        values = [re.sub(" +", " ", value.strip()) for given, value in headers if given.lower() == name]
        lines.append(f"{name}:{','.join(values)}\n")
    return "\n".join(
        [method, path, "&".join(f"{name}={value}" for name, value in pairs), "".join(lines), ";".join(signed), payload]
    )


def signature(secret, instant, scope, request):
    date, region, service, end = scope.split("/")
    key = f"AWS4{secret}".encode()
    for part in (date, region, service, end):
        key = hmac.new(key, part.encode(), hashlib.sha256).digest()
    text = "\n".join([ALGORITHM, instant, scope, hashlib.sha256(request.encode()).hexdigest()])
    return hmac.new(key, text.encode(), hashlib.sha256).hexdigest()


def fault_of(method, target, headers, body, account, now):
    """What is wrong with the signature of a request; None if nothing is."""
    access_key, secret, region = account
    one = {name.lower(): value for name, value in headers}
    found = re.fullmatch(
        ALGORITHM + r" Credential=([^/]+)/(\d{8}/[^/]+/s3/aws4_request), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})",
        one.get("authorization", ""),
    )
    if not found:
        return "no signature"
    key, scope, names, given = found.groups()
    signed = names.split(";")
    instant = one.get("x-amz-date", "")
    if key != access_key:
        return "another access key"
    if scope.split("/")[1] != region or scope.split("/")[0] != instant[:8]:
        return "another region or day"
    if signed != sorted(signed) or any(
        name not in signed for name in one if name == "host" or name.startswith("x-amz-")
    ):
        return "a header is not signed"
    at = datetime.datetime.strptime(instant, "%Y%m%dT%H%M%SZ").replace(tzinfo=datetime.timezone.utc)
    if abs((now - at).total_seconds()) > 900:
        return "another time"
    payload = one.get("x-amz-content-sha256", "")
    if hashlib.sha256(body).hexdigest() != payload:
        return "another body"
    expected = signature(secret, instant, scope, canonical_request(method, target, headers, signed, payload))
    return None if hmac.compare_digest(expected, given) else "another signature"


def self_test():
    """The examples of the Amazon S3 API Reference, Signature Calculations for the Authorization Header."""
    account = ("AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "us-east-1")
    now = datetime.datetime(2013, 5, 24, tzinfo=datetime.timezone.utc)
    host = ("Host", "examplebucket.s3.amazonaws.com")
    instant = ("x-amz-date", "20130524T000000Z")

    def check(method, target, headers, body, names, given):
        authorization = (
            f"{ALGORITHM} Credential={account[0]}/20130524/us-east-1/s3/aws4_request,SignedHeaders={names},Signature={given}"
        )
        digest = ("x-amz-content-sha256", hashlib.sha256(body).hexdigest())
        return fault_of(method, target, [host, instant, digest, *headers, ("Authorization", authorization)], body, account, now)

    get = "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"
    put = "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"
    ranged = [("Range", "bytes=0-9")]
    stored = [("Date", "Fri, 24 May 2013 00:00:00 GMT"), ("x-amz-storage-class", "REDUCED_REDUNDANCY")]
    names = "host;range;x-amz-content-sha256;x-amz-date"
    put_names = "date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class"
    body = b"Welcome to Amazon S3."
    assert check("GET", "/test.txt", ranged, b"", names, get) is None
    assert check("PUT", "/test%24file.text", stored, body, put_names, put) is None
    assert check("GET", "/test.txt", [("Range", "bytes=0-8")], b"", names, get) == "another signature"
    assert check("GET", "/test2.txt", ranged, b"", names, get) == "another signature"
    assert check("PUT", "/test%24file.text", stored, body + b"!", put_names, put) == "another signature"
    assert check("PUT", "/test%24file.text", stored, body, "date;host;x-amz-content-sha256;x-amz-date", put) == "a header is not signed"


def serve(folder, access_key, secret, region, held=None):
    lock = threading.Lock()

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_PUT(self):
            body = self.rfile.read(int(self.headers["content-length"]))
            now = datetime.datetime.now(datetime.timezone.utc)
            fault = fault_of("PUT", self.path, self.headers.items(), body, (access_key, secret, region), now)
            with lock:
                print(json.dumps({"path": self.path, "sha256": hashlib.sha256(body).hexdigest(), "fault": fault}), flush=True)
            while held and self.path.endswith(held) and not os.path.exists(os.path.join(folder, "go")):
                time.sleep(0.02)
            if fault is None:
                file = os.path.join(folder, urllib.parse.unquote(self.path).lstrip("/"))
                os.makedirs(os.path.dirname(file), exist_ok=True)
                with open(file, "wb") as kept:
                    kept.write(body)
            try:
                self.send_response(200 if fault is None else 403)
                self.send_header("content-length", "0")
                self.end_headers()
            except OSError:
                self.close_connection = True

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    print(server.server_address[1], flush=True)
    server.serve_forever()


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        self_test()
    else:
        serve(*sys.argv[1:])
