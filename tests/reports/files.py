"""The files of run.sh's --report in this folder: members, values, well-formed.

    files.py LINE    the line of rank.c that errs
"""
import html.parser
import json
import os
import re
import sys
import xml.etree.ElementTree

line = int(sys.argv[1])


def check_jsonl() -> None:
    with open("a.jsonl", encoding="utf-8") as file:
        [found] = [json.loads(text) for text in file]
    members = "id severity message ranks call arguments site count elements types other"
    assert not set(members.split()) - set(found), found.keys()
    assert found["id"] == "datatype-null" and found["severity"] == "error"
    assert found["message"] == "each of ranks 0-2 sends with MPI_DATATYPE_NULL"
    assert found["ranks"] == [0, 1, 2] and found["count"] == 3 and found["call"] == "MPI_Send"
    assert found["arguments"] == {"buf": "0x7ffd1000", "count": "1", "datatype": '<cell & "t">'}
    assert found["site"]["file"].endswith("rank.c"), found["site"]
    assert found["site"]["line"] == line and found["site"]["function"] == "inlined"
    assert [frame["function"] for frame in found["frames"]] == ["inlined", "exchange"]
    assert found["elements"] == [{"rank": 0, "address": "cell_t[0](MPI_INT)", "byte": 4,
                                  "type": "MPI_INT"}]
    [type_] = found["types"]
    assert type_["handle"] == "0x8c000005" and type_["name"] == "cell_t"
    assert type_["created"]["line"] == line and type_["committed"] is None
    assert type_["extent"] == 32 and found["other"] == []


def check_sarif() -> None:
    with open("a.sarif", encoding="utf-8") as file:
        log = json.load(file)
    assert log["version"] == "2.1.0" and log["$schema"].endswith("sarif-2.1.0.json")
    [run] = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    [result] = run["results"]
    assert rules[result["ruleIndex"]]["id"] == result["ruleId"] == "datatype-null"
    assert result["level"] == "error" and result["message"]["text"].startswith("each of ranks")
    [location] = result["locations"]
    place = location["physicalLocation"]
    assert place["artifactLocation"]["uri"].endswith("rank.c")
    assert place["region"]["startLine"] == line
    assert re.fullmatch("[0-9a-f]{16}", result["partialFingerprints"]["mpipp/v1"])
    assert len(result["stacks"][0]["frames"]) == 2
    assert result["relatedLocations"][0]["message"]["text"] == "cell_t is created"


def check_junit() -> None:
    suites = xml.etree.ElementTree.parse("a.xml").getroot()
    [suite] = suites
    assert suites.tag == "testsuites" and suite.tag == "testsuite"
    job, found = suite
    for element in suites, suite:
        assert (element.get("tests"), element.get("failures"), element.get("errors")) == ("2", "1", "0")
    assert job.get("classname") == "mpipp"
    assert job.findtext("system-out").startswith("mpipp: 1 error; 303 calls checked on 3 ranks")
    assert found.get("classname") == "mpipp.datatype-null"
    assert found.get("name") == f"rank.c:{line}: each of ranks 0-2 sends with MPI_DATATYPE_NULL"
    assert found.get("file").endswith("rank.c") and found.get("line") == str(line)
    [failure] = found
    assert failure.tag == "failure" and failure.get("type") == "datatype-null"
    assert failure.get("message") == "each of ranks 0-2 sends with MPI_DATATYPE_NULL"
    with open("a.txt", encoding="utf-8") as file:
        report, summary = file.read().rsplit("mpipp: ", 1)
    assert failure.text == report, failure.text
    assert summary in job.findtext("system-out")


class Page(html.parser.HTMLParser):
    """What is open, and what was seen."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        for name, value in attrs:
            assert name != "src", value  # nothing from elsewhere
            if name == "id":
                assert value not in self.ids, value
                self.ids.append(value)
            if name in ("href", "for"):
                self.links.append(value.lstrip("#") if name == "href" else value)
                assert name == "for" or value.startswith("#"), value
        if tag not in ("meta", "rect", "tr", "td", "th", "thead", "tbody", "input", "path"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self.open:
            assert self.open.pop() == tag, tag

    def handle_data(self, data: str) -> None:
        self.text += data


def check_html() -> None:
    page = Page()
    with open("a.html", encoding="utf-8") as file:
        page.feed(file.read())
    assert not page.open, page.open
    assert page.ids == ["hatch", "show-error", "show-check-datatype-null", "report-0",
                        "means-datatype-null"], page.ids
    assert not set(page.links) - set(page.ids), page.links
    assert page.links.count("report-0") == page.links.count("means-datatype-null") == 1
    assert page.seen.count("section") == 2 and page.seen.count("svg") == 2  # one has the hatching
    assert page.text.count("/* marker: inlined */") == 2  # the call, and where the type is created
    assert re.search(r"command\s*mpipp run .*--report=a.html .*\./rank same\n", page.text), page.text
    assert re.search(rf"hosts\s*{re.escape(os.uname().nodename)}\n", page.text)
    assert re.search(r"ranks\s*3\n", page.text)
    assert re.search(r"written\s*\d{4}-\d\d-\d\d \d\d:\d\d:\d\d ", page.text)
    for words in ("datatype-null", "each of ranks 0-2", f"rank.c:{line} in inlined()", "extent 32",
                  "bytes 8 to 23: MPI_DOUBLE", "2 blocks; others, of 3 bytes, are not shown",
                  "prefers-color-scheme: dark", "What the checks mean",
                  "#show-error:not(:checked) ~ .error { display: none", '<cell & "t">', "{kind = STRUCT}"):
        assert words in page.text, words


def check_meeting() -> None:
    """What two buffers share (rank.c, overlap)."""
    with open("overlap.html", encoding="utf-8") as file:
        text = file.read()
    assert re.findall(r"<title>both: (.*)</title>", text) == ["bytes 16 to 19", "bytes 24 to 31"], text
    places = [[float(number) for number in found] for found in
              re.findall(r'<rect class="both" x=([\d.]+) y=\d+ width=([\d.]+)', text)]
    scale = (900 - 8) / 36  # of 36 bytes in a picture of that width
    assert len(places) == 4 and places[0] == places[1] and places[2] == places[3], places  # in each buffer
    for (x, width), (first, end) in zip(places[::2], ((16, 20), (24, 32))):
        assert abs(x - 4 - first * scale) < 0.01 and abs(width - (end - first) * scale) < 0.01, places
    assert "this call's buffer: 2 x cell_t at 0x1000" in text
    assert "the buffer of the pending MPI_Irecv: 5 x MPI_INT at 0x1010" in text


def check_txt() -> None:
    with open("a.txt", encoding="utf-8") as file:
        text = file.read()
    assert text.startswith("mpipp: error datatype-null: each of ranks 0-2 sends")
    assert text.endswith("mpipp: 1 error; 303 calls checked on 3 ranks\n")
    assert "mpipp attach" not in text


check_jsonl()
check_sarif()
check_junit()
check_html()
check_meeting()
check_txt()
