#!/bin/sh
# Makes the pictures of the README from what the program prints of the captures.
#
#   pictures.sh DIR          writes them
#   pictures.sh --check DIR  writes nothing, and fails when one is not what the program prints now
#
# It needs kubectl-probes and freeze on the PATH (`make pictures` builds both) and runs in the repository's root.
set -eu

check=
if [ "$1" = --check ]; then
    check=yes
    shift
fi
dir=$1
new=$(mktemp -d)
trap 'rm -rf "$new"' EXIT

# picture NAME COLUMNS ARGUMENT... draws what `kubectl probes ARGUMENT...` prints in a terminal that wide.
picture() {
    name=$1 columns=$2
    shift 2
    {
        printf '$ kubectl probes'
        printf ' %s' "$@"
        printf '\n'
        COLUMNS=$columns kubectl-probes --color=always "$@" 2>/dev/null
    } >"$new/$name.ansi"
    freeze --language ansi --theme charm --padding 16 --font.size 13 \
        --font.family 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace' \
        --output "$new/$name.svg" <"$new/$name.ansi" >/dev/null
    if [ -z "$check" ]; then
        cp "$new/$name.svg" "$dir/$name.svg"
    elif ! cmp -s "$new/$name.svg" "$dir/$name.svg"; then
        echo "$dir/$name.svg is not what the program prints now: run 'make pictures'" >&2
        failed=yes
    fi
}

failed=
picture overview 130 -f testdata/captures -A --only=failing --sort-by=severity
[ -z "$failed" ]
