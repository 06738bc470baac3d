"""OpenStack Swift in one process, on this machine alone: its account, container and object server, and a proxy that speaks S3 (s3api) for the accounts of tempauth.

    swift_storage.py FOLDER ACCESS_KEY SECRET REGION

ACCESS_KEY is account:user, as tempauth has it. FOLDER needs a file system with extended attributes. Prints the port of the proxy.
"""

import eventlet

eventlet.monkey_patch(all=False, socket=True, select=True, thread=True)

import os
import sys

import eventlet.wsgi
from swift.common import utils
from swift.common.ring import RingBuilder
from swift.common.wsgi import loadapp

HOST = "127.0.0.1"
KINDS = ("account", "container", "object")

SERVER = """[DEFAULT]
swift_dir = {folder}
devices = {folder}/devices
mount_check = false
log_level = ERROR
[pipeline:main]
pipeline = {kind}-server
[app:{kind}-server]
use = egg:swift#{kind}
"""

PROXY = """[DEFAULT]
swift_dir = {folder}
log_level = ERROR
[pipeline:main]
pipeline = catch_errors s3api tempauth proxy-server
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:s3api]
use = egg:swift#s3api
location = {region}
s3_acl = false
allow_multipart_uploads = false
[filter:tempauth]
use = egg:swift#tempauth
user_{user} = {secret} .admin
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
"""


class NoCache:
    """tempauth wants a cache, which Swift has in memcached: this one keeps nothing."""

    def get(self, *_, **__):
        return None

    set = delete = incr = decr = get


def write(folder, name, text):
    file = os.path.join(folder, name)
    with open(file, "w") as out:
        out.write(text)
    return file


def ring(folder, name, port):
    builder = RingBuilder(0, 1, 0)
    place = {"ip": HOST, "port": port, "replication_ip": HOST, "replication_port": port}
    builder.add_dev({"region": 1, "zone": 1, "device": "disk", "weight": 1, **place})
    builder.rebalance()
    builder.get_ring().save(os.path.join(folder, f"{name}.ring.gz"))


def main(folder, access_key, secret, region):
    os.makedirs(os.path.join(folder, "devices", "disk"))
    write(folder, "swift.conf", "[swift-hash]\nswift_hash_path_prefix = a\nswift_hash_path_suffix = b\n")
    utils.set_swift_dir(folder)
    sockets = {kind: eventlet.listen((HOST, 0)) for kind in KINDS}
    for kind, listening in sockets.items():
        ring(folder, kind, listening.getsockname()[1])
    for kind, listening in sockets.items():
        app = loadapp(write(folder, f"{kind}-server.conf", SERVER.format(folder=folder, kind=kind)))
        eventlet.spawn(eventlet.wsgi.server, listening, app, log_output=False)
    user = access_key.replace(":", "_")
    settings = PROXY.format(folder=folder, region=region, user=user, secret=secret)
    proxy = loadapp(write(folder, "proxy-server.conf", settings))
    cache = NoCache()
    listening = eventlet.listen((HOST, 0))
    print(listening.getsockname()[1], flush=True)
    answer = lambda environ, start: proxy({**environ, "swift.cache": cache}, start)
    eventlet.wsgi.server(listening, answer, log_output=False)


main(*sys.argv[1:])
