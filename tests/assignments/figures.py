"""Figures of an assignment: beside the work file, in the terminal, in the pages; each decoded again."""

import base64
import os
import re
import struct
import zlib
from xml.etree import ElementTree

from helpers import check, read, rows, run, write

ASSIGNMENT = """
local pc = require "percuss"
local A = require "percuss.assignment"
return A.new{
    name = "drawn",
    data = function(random) return { height = random:number(1, 2) } end,
    figures = {
        A.figure{ name = "fall", caption = "The <ball> falls.", draw = function(d)
            local figure = pc.chart.figure{ title = "height " .. d.height, width = 320, height = 240 }
            figure:panel{ xlabel = "time" }:line{ { 0, 1 }, { d.height, 0 } }
            return figure
        end },
        A.figure{ name = "photo", file = "photo.png" },
    },
    parts = { A.number{ name = "a", points = 1, text = "", unit = "m", digits = 3, answer = 1 } },
}
"""


def png(width, height, colour):
    """A PNG file of one colour (PNG specification, 5)."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows_of_pixels = (b"\0" + bytes(colour) * width) * height
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows_of_pixels)) + chunk(b"IEND", b""))


def decode(data):
    """(width, height, bytes of the filtered rows) of a PNG file, its checksums verified."""
    at, size, packed = 8, None, b""
    while at < len(data):
        length, = struct.unpack(">I", data[at:at + 4])
        kind, body = data[at + 4:at + 8], data[at + 8:at + 8 + length]
        crc, = struct.unpack(">I", data[at + 8 + length:at + 12 + length])
        assert crc == zlib.crc32(kind + body), kind
        size = struct.unpack(">II", body[:8]) if kind == b"IHDR" else size
        packed += body if kind == b"IDAT" else b""
        at += 12 + length
    return size[0], size[1], zlib.decompress(packed)


def raw(path):
    with open(path, "rb") as file:
        return file.read()


def kitty_pictures(text):
    """The PNG files in kitty's graphics protocol."""
    pictures = []
    for head, payload in re.findall("\x1b_G([^;\x1b]*);([^\x1b]*)\x1b\\\\", text):
        if "a=T" in head:
            pictures.append("")
        pictures[-1] += payload
    return [base64.b64decode(picture) for picture in pictures]


def test_work_files(base, photo):
    run("assignment", "start", "drawn.lua", "--id", "s1", cwd=base)
    run("assignment", "start", "drawn.lua", "--id", "s2", "--out", "other.lua", cwd=base)
    work = read(os.path.join(base, "s1.lua"))
    check("the work file names its figures", "-- Figure s1-fall.png: The <ball> falls." in work
          and "-- Figure s1-photo.png: photo" in work, work)
    width, height, pixels = decode(raw(os.path.join(base, "s1-fall.png")))
    check("the figure beside it has its size", (width, height) == (320, 240), (width, height))
    check("the figure beside it shows something", len(set(pixels)) > 20)
    check("each student has a figure of their own",
          decode(raw(os.path.join(base, "other-fall.png")))[2] != pixels)
    check("a picture file arrives byte by byte", raw(os.path.join(base, "s1-photo.png")) == photo)
    os.remove(os.path.join(base, "s1.lua"))
    said = run("assignment", "start", "drawn.lua", "--id", "s1", cwd=base, code=1)
    check("a figure is not replaced", "s1-fall.png exists already" in said, said)
    check("then no work file is written", not os.path.exists(os.path.join(base, "s1.lua")))


def test_terminal(base, photo):
    said = run("assignment", "start", "drawn.lua", "--id", "s3", cwd=base, PERCUSS_CHART="")
    check("a pipe gets no figure", said == "wrote s3.lua\n", said)
    for verb in (("start", "drawn.lua", "--id", "s4"), ("check", "s4.lua")):
        said = run("assignment", *verb, cwd=base, PERCUSS_CHART="kitty")
        pictures = kitty_pictures(said)
        check("%s shows both figures" % verb[0], len(pictures) == 2 and pictures[1] == photo, said[:200])
        check("%s draws the figure" % verb[0], len(set(decode(pictures[0])[2])) > 20)
        check("%s says the caption" % verb[0], "fall: The <ball> falls." in said)
    said = run("-e", 'percuss = require "percuss" percuss.check("s4.lua")', cwd=base, PERCUSS_CHART="iterm")
    check("check() at the prompt shows them", said.count("\x1b]1337;File=inline=1") == 2, said[:200])
    said = run("assignment", "check", "s4.lua", "a", cwd=base, PERCUSS_CHART="kitty")
    check("the check of one part shows none", "\x1b" not in said)
    said = run("assignment", "start", "drawn.lua", "--id", "s5", cwd=base, PERCUSS_CHART="braille")
    check("a terminal without pixels gets the chart as text", "time" in said and "photo" not in said, said)


def images(page):
    return [(kind, base64.b64decode(data)) for kind, data in re.findall('src="data:([^;]+);base64,([^"]*)"', page)]


def test_pages(base, photo):
    folder = os.path.join(base, "drawn-in")
    os.mkdir(folder)
    write(os.path.join(folder, "s1.lua"), "local work = ...\nfunction work.a() return '1.00 m' end\n")
    grade = ["assignment", "grade", "drawn.lua", "drawn-in", "--out", "drawn.csv"]
    run(*grade, cwd=base)
    page = read(os.path.join(base, "drawn-reports", "s1.html"))
    found = images(page)
    check("the page holds both figures", [kind for kind, _ in found] == ["image/svg+xml", "image/png"], page[:500])
    run("assignment", "start", "drawn.lua", "--id", "s1", "--out", "again.lua", cwd=base)
    height = re.search(r"d\.height = (\S+)", read(os.path.join(base, "again.lua"))).group(1)
    words = "".join("".join(ElementTree.fromstring(found[0][1]).itertext()).split())
    check("the drawing is of this student's numbers", "height" + height in words, (height, words))
    check("the picture file is in the page byte by byte", found[1][1] == photo)
    check("captions are escaped", "The &lt;ball&gt; falls." in page)
    said = run(*grade, cwd=base)
    check("with equal figures nothing is graded again", "1 of them graded before" in said, said)
    write(os.path.join(base, "photo.png"), png(4, 3, (1, 2, 3)))
    said = run(*grade, cwd=base)
    check("a changed picture makes new pages", "0 of them graded before" in said, said)
    check("the new picture is in the page",
          images(read(os.path.join(base, "drawn-reports", "s1.html")))[1][1] == png(4, 3, (1, 2, 3)))


def test_mistakes(base):
    mistakes = [
        ('{ name = "x", file = "none.png" }', "figure x: cannot read none.png"),
        ('{ name = "x", file = "none.exe" }', "must be a .png, .svg, .jpg or .jpeg"),
        ('{ name = "x" }', "needs either draw or file"),
        ('{ name = "x y", file = "a.png" }', "a figure needs a name"),
        ('{ name = "x", drw = print }', "is it 'draw'?"),
        ('{ name = "x", draw = function() error("no ink", 0) end }', "the figure x cannot be drawn: no ink"),
        ('{ name = "x", draw = function() return 7 end }', "draw returned no figure"),
        ('{ name = "x", draw = function() return require("percuss").chart.figure{} end }', "no panel"),
    ]
    for options, text in mistakes:
        old = ASSIGNMENT.index("A.figure{ name = \"photo\"")
        end = ASSIGNMENT.index("},", old)
        write(os.path.join(base, "mistaken.lua"), ASSIGNMENT[:old] + "A.figure" + options + ASSIGNMENT[end + 1:])
        said = run("assignment", "start", "mistaken.lua", "--id", "s9", cwd=base, code=1)
        check("the figure %s is refused" % options, text in said, said)
        check("nothing is written for it", not [name for name in os.listdir(base) if name.startswith("s9")])
    late = ASSIGNMENT.replace("local figure =", "if true then error('late') end local figure =")
    write(os.path.join(base, "late.lua"), late)
    run("assignment", "grade", "late.lua", "drawn-in", "--out", "late.csv", cwd=base)
    row = rows(os.path.join(base, "late.csv"))[0]
    check("a figure that fails costs no points and is told", row["total"] == "1" and "late" in row["remarks"], row)


def test_figures(base):
    base = os.path.join(base, "figures")
    os.mkdir(base)
    photo = png(40, 30, (200, 30, 30))
    write(os.path.join(base, "photo.png"), photo)
    write(os.path.join(base, "drawn.lua"), ASSIGNMENT)
    test_work_files(base, photo)
    test_terminal(base, photo)
    test_pages(base, photo)
    test_mistakes(base)
