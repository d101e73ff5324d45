#!/usr/bin/env python3
"""image.py: writes files of this machine into a cpio archive, which the guest's kernel unpacks into memory as it boots.

usage: image.py [--package NAME]... [--file PATH]... [--tree FOLDER]... [--as PATH FILE]... ARCHIVE
  --package   an installed Debian package, with all that it depends on, without its documentation
  --file      a file or a folder, at its own path; with the libraries of the programs in it
  --tree      a checkout: a folder without .git, build and the other folders in it whose names begin with a dot
  --as        FILE, at PATH in the guest
  --stamp     print what the packages' files are known by, their names and versions, instead of writing anything
exit: 0; 64 usage; 66 a file cannot be read; 69 a package is not installed
Python's standard library only.
"""

import argparse
import os
import re
import stat
import subprocess
import sys

# What nothing in the guest reads.
UNREAD = re.compile(r"/usr/share/(doc|doc-base|man|info|locale|lintian|icons|bug|menu|applications|bash-completion|gtk-doc|X11)/")
# Made at installation: no package lists them.
MADE = ["/etc/passwd", "/etc/group", "/etc/nsswitch.conf", "/etc/hosts", "/etc/ld.so.cache", "/etc/localtime"]


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def closure(names):
    """The installed packages that `names` need, the essential ones with them: name -> version."""
    depends, versions, provided, wanted = {}, {}, {}, list(names)
    form = "${Package}\t${db:Status-Status}\t${Essential}\t${Version}\t${Provides}\t${Pre-Depends}, ${Depends}\n"
    for line in run("dpkg-query", "-W", f"-f={form}").splitlines():
        name, status, essential, version, provides, needs = line.split("\t")
        if status != "installed":
            continue
        versions[name] = version
        depends[name] = re.findall(r"[a-z0-9][a-z0-9+.-]+(?=[\s,|:(]|$)", re.sub(r"\([^)]*\)", "", needs))
        for other in re.findall(r"[a-z0-9][a-z0-9+.-]+(?=[\s,(]|$)", re.sub(r"\([^)]*\)", "", provides)):
            provided.setdefault(other, []).append(name)
        if essential == "yes":
            wanted.append(name)
    absent = [name for name in names if name not in versions]
    if absent:
        sys.exit(fail(69, f"not installed: {' '.join(absent)}"))
    found = {}
    while wanted:
        name = wanted.pop()
        for real in [name] if name in versions else provided.get(name, []):
            if real not in found:
                found[real] = versions[real]
                wanted += depends[real]
    return found


def fail(status, text):
    print(f"image: {text}", file=sys.stderr)
    return status


def package_files(packages):
    files = {path for path in run("dpkg-query", "-L", *packages).splitlines() if path.startswith("/") and path != "/."}
    files = {path for path in files if not UNREAD.search(path + "/") and os.path.lexists(path)}
    for folder, _, names in os.walk("/usr/lib"):
        if folder.endswith("/__pycache__"):
            sources = {os.path.basename(path)[:-3] for path in names if f"{os.path.dirname(folder)}/{path.split('.')[0]}.py" in files}
            files |= {f"{folder}/{name}" for name in names if name[:-3] in sources}
    # The links of update-alternatives, where what they lead to is there.
    real = {os.path.realpath(path) for path in files}
    for folder, _, names in os.walk("/var/lib/dpkg/alternatives"):
        for name in names:
            for line in open(os.path.join(folder, name), encoding="utf-8", errors="replace"):
                link = line.strip()
                if link.startswith("/") and os.path.islink(link) and os.path.realpath(link) in real:
                    files |= {link} | ({os.readlink(link)} if os.readlink(link).startswith("/etc/alternatives/") else set())
    return files | {path for path in MADE if os.path.lexists(path)}


def libraries(path):
    with open(path, "rb") as file:
        if file.read(4) != b"\x7fELF":
            return set()
    return {word for word in run("ldd", path).split() if word.startswith("/")}


def below(folder, is_left_out=lambda name: False):
    for at, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not is_left_out(name)]
        yield at
        yield from (os.path.join(at, name) for name in names + [name for name in folders if os.path.islink(os.path.join(at, name))])


class Archive:
    """The kernel's "newc" format. Folders and links on the way to a file go in before it."""

    def __init__(self, file):
        self.file, self.number, self.done = file, 0, set()

    def entry(self, name, mode, data=b"", modified=0):
        self.number += 1
        encoded = os.fsencode(name.lstrip("/")) + b"\0"
        fields = [self.number, mode, 0, 0, 1, modified, len(data), 0, 0, 0, 0, len(encoded), 0]
        head = b"070701" + b"".join(b"%08X" % field for field in fields) + encoded
        self.file.write(head + b"\0" * (-len(head) % 4) + data + b"\0" * (-len(data) % 4))

    def add(self, path):
        """PATH as it is here, and what it leads to if it is a link."""
        at = ""
        parts = [part for part in path.split("/") if part]
        for index, part in enumerate(parts):
            at += "/" + part
            status = os.lstat(at)
            is_new = at not in self.done
            self.done.add(at)
            if stat.S_ISLNK(status.st_mode):
                target = os.readlink(at)
                if is_new:
                    self.entry(at, status.st_mode, os.fsencode(target))
                joined = os.path.normpath(os.path.join(os.path.dirname(at), target, *parts[index + 1:]))
                if is_new or index + 1 < len(parts):
                    if os.path.lexists(joined):
                        self.add(joined)
                return
            if not is_new:
                continue
            if stat.S_ISDIR(status.st_mode):
                self.entry(at, status.st_mode)
            elif stat.S_ISREG(status.st_mode):
                self.copy(at, at)

    def copy(self, path, source):
        status = os.stat(source)
        with open(source, "rb") as file:
            self.entry(path, status.st_mode, file.read(), int(status.st_mtime))

    def end(self):
        self.entry("TRAILER!!!", 0)
        self.file.write(b"\0" * (-self.file.tell() % 512))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--package", action="append", default=[])
    parser.add_argument("--file", action="append", default=[])
    parser.add_argument("--tree", action="append", default=[])
    parser.add_argument("--as", dest="placed", nargs=2, action="append", default=[])
    parser.add_argument("--stamp", action="store_true")
    parser.add_argument("archive", nargs="?")
    given = parser.parse_args()
    packages = closure(given.package) if given.package else {}
    if given.stamp:
        print("\n".join(f"{name} {version}" for name, version in sorted(packages.items())))
        return 0
    if given.archive is None:
        parser.error("no ARCHIVE")
    files = package_files(packages) if packages else set()
    for path in map(os.path.abspath, given.file):
        inside = set(below(path)) if os.path.isdir(path) else {path}
        files |= inside.union(*(libraries(one) for one in inside if os.path.isfile(one) and os.access(one, os.X_OK)))
    for folder in given.tree:
        files |= set(below(os.path.abspath(folder), lambda name: name.startswith(".") or name == "build"))
    try:
        with open(given.archive, "wb") as file:
            archive = Archive(file)
            for path in sorted(files):
                archive.add(path)
            for path, source in given.placed:
                archive.copy(path, source)
            archive.end()
    except OSError as error:
        return fail(66, f"{error.filename}: {error.strerror}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
