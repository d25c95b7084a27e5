#!/usr/bin/env python3
"""A webhook for App Store Server Notifications V2, and a table of what customers were given.

    server.py [--port=N] [--database=FILE] [--mistake=NAME]

POST /notifications takes a body of the App Store; GET /access?customer=ID answers with the products
that a customer may use; GET /grants exports the table as CSV. The header X-Now sets the clock, as
milliseconds since 1970. Prints its port.

An example: it doesn't verify what Apple signed. Your own server must, before it believes a word.
"""
import argparse
import base64
import csv
import http.server
import io
import json
import sqlite3
import time
import urllib.parse

MISTAKES = ["refund-swallowed", "late-overwrites", "upgrade-kept", "counted-twice"]
SEASON = 90 * 86_400_000  # a non-renewing subscription lasts as long as the shop says
TABLES = """
    CREATE TABLE seen (notification PRIMARY KEY);
    CREATE TABLE purchases (id PRIMARY KEY, customer, original, signed INTEGER, state TEXT);
    CREATE INDEX customers ON purchases (customer);
    CREATE INDEX lines ON purchases (original);
    CREATE TABLE grants (id INTEGER PRIMARY KEY, at INTEGER, action, customer, purchase, product,
        quantity INTEGER, until INTEGER, reason);
    CREATE INDEX given ON grants (purchase);
"""


def payload(jws):
    """What a signed text says, whoever signed it."""
    part = jws.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))


class Shop:
    """What each customer bought and was given."""

    def __init__(self, database, mistake):
        self.db = sqlite3.connect(database)
        self.db.executescript(TABLES)
        self.mistake = mistake

    def take(self, body, now):
        """Takes a body; all that it changes is committed together, or nothing is."""
        notice = payload(body["signedPayload"])
        data = notice.get("data", {})
        with self.db:
            is_new = self.db.execute(
                "INSERT OR IGNORE INTO seen VALUES (?)", [notice["notificationUUID"]]).rowcount
            is_counted = is_new or self.mistake == "counted-twice"
            if is_counted and data.get("environment") == "Production":
                if "signedTransactionInfo" in data:
                    renewal = payload(data.get("signedRenewalInfo", ".e30"))
                    self.learn(payload(data["signedTransactionInfo"]), renewal, now)

    def learn(self, bought, renewal, now):
        """Learns the state of a purchase, unless a later state is known."""
        known = self.db.execute(
            "SELECT signed FROM purchases WHERE id = ?", [bought["transactionId"]]).fetchone()
        if known and self.mistake == "refund-swallowed":
            return
        if known and known[0] > bought["signedDate"] and self.mistake != "late-overwrites":
            return
        if bought["type"] == "Non-Renewing Subscription":
            bought["expiresDate"] = bought["purchaseDate"] + SEASON
        bought["ends"] = max(
            bought.get("expiresDate", 1 << 62), renewal.get("gracePeriodExpiresDate", 0))
        self.db.execute("INSERT OR REPLACE INTO purchases VALUES (?, ?, ?, ?, ?)", [
            bought["transactionId"], bought["appTransactionId"], bought["originalTransactionId"],
            bought["signedDate"], json.dumps(bought)])
        for each in self.line(bought["originalTransactionId"]):
            is_told = each["transactionId"] == bought["transactionId"]
            self.settle(each, now, again=is_told and self.mistake == "counted-twice")

    def line(self, original):
        """The purchases of one line in order; each ends, at the latest, where the next begins."""
        rows = self.db.execute("SELECT state FROM purchases WHERE original = ?", [original])
        line = sorted((json.loads(row[0]) for row in rows), key=lambda each: each["purchaseDate"])
        for each, following in zip(line, line[1:] + [None]):
            each["over"] = None
            if "revocationDate" in each:
                is_own = each["inAppOwnershipType"] == "PURCHASED"
                each["over"] = "refunded" if is_own else "revoked"
            elif self.mistake == "upgrade-kept":
                continue
            elif following and following["productId"] != each["productId"] \
                    and following["purchaseDate"] < each["expiresDate"]:
                each["over"] = "upgraded"
            if following:
                each["ends"] = min(each["ends"], following["purchaseDate"])
        return line

    def settle(self, bought, now, again):
        """Gives what is owed and not given; takes back what is given and not owed."""
        last = self.db.execute(
            "SELECT action FROM grants WHERE purchase = ? AND action != 'answer'"
            " ORDER BY id DESC LIMIT 1", [bought["transactionId"]]).fetchone()
        is_given = last == ("grant",)
        if not bought["over"] and (not is_given or again):
            self.note("grant", bought, now)
        elif bought["over"] and is_given:
            # Another purchase may still open the product.
            usable = [each["productId"] for each in self.usable(bought["appTransactionId"], now)]
            if bought["type"] == "Consumable" or bought["productId"] not in usable:
                self.note("take_back", bought, now)

    def note(self, action, bought, now):
        until = bought["ends"] if bought["type"] == "Non-Renewing Subscription" else None
        self.db.execute("INSERT INTO grants VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?)", [
            now, action, bought["appTransactionId"], bought["transactionId"], bought["productId"],
            bought["quantity"], until, bought["over"]])

    def usable(self, customer, now):
        """The purchases that open a product to a customer."""
        originals = self.db.execute(
            "SELECT DISTINCT original FROM purchases WHERE customer = ?", [customer]).fetchall()
        return [
            each for (original,) in originals for each in self.line(original)
            if each["type"] != "Consumable" and not each["over"] and each["ends"] > now]

    def access(self, customer, now):
        """The products that a customer may use; the table keeps what was answered."""
        products = {each["productId"]: each for each in self.usable(customer, now)}
        with self.db:
            for each in products.values():
                self.note("answer", each, now)
        return sorted(products)

    def grants(self):
        """The table as CSV."""
        rows, text = self.db.execute("SELECT * FROM grants ORDER BY id"), io.StringIO()
        table = csv.writer(text, lineterminator="\n")
        table.writerows([[column[0] for column in rows.description], *rows])
        return text.getvalue()


class Handler(http.server.BaseHTTPRequestHandler):
    """The three requests."""
    # An answer leaves in one piece: two would wait for each other.
    protocol_version, wbufsize, shop = "HTTP/1.1", 1 << 16, None

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        try:
            self.shop.take(json.loads(body), self.now())
            self.answer(200, "")
        except (ValueError, LookupError) as error:  # Apple sends it again
            self.answer(400, f"not a notification: {error!r}\n")

    def do_GET(self):
        url = urllib.parse.urlsplit(self.path)
        customer = urllib.parse.parse_qs(url.query).get("customer", [""])[0]
        if url.path == "/grants":
            self.answer(200, self.shop.grants())
        else:
            self.answer(200, json.dumps(self.shop.access(customer, self.now())) + "\n")

    def now(self):
        return int(self.headers.get("X-Now") or time.time() * 1000)

    def answer(self, status, text):
        self.send_response(status)
        self.send_header("Content-Length", str(len(text.encode())))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--database", default=":memory:")
    parser.add_argument("--mistake", choices=MISTAKES)
    options = parser.parse_args()
    Handler.shop = Shop(options.database, options.mistake)
    with http.server.HTTPServer(("127.0.0.1", options.port), Handler) as server:
        print(server.server_port, flush=True)
        server.serve_forever()
