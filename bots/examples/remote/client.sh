#!/bin/sh
# A remote player for umpire in shell, with curl. It plays vmukni; for another
# game change choose().
#
#   UMPIRE_KEY=the-key-umpire-printed sh client.sh http://127.0.0.1:8370 [MATCHES]
api=${1%/}/api/v1
matches=${2:-1}

# YOUR STRATEGY: the reply in turn $1; $answer holds the lines, as JSON. Here: each way in turn.
choose() { echo $((1 + $1 * 2 % 15)); }

# request METHOD PATH SECRET [BODY] sets answer. It repeats the request until it
# is answered: every request may be repeated.
request() {
	until answer=$(printf 'header = "Authorization: Bearer %s"\n' "$3" |
		curl -sS -K - -m 60 -X "$1" -H 'Content-Type: application/json' ${4:+-d "$4"} "$api/$2") && [ -n "$answer" ]; do
		sleep 1
	done
	case $(member code) in
	ticket) answer='{"state":"void"}' ;; # umpire was started again: the match does not count
	rate | full | slow | stopping)
		sleep 1
		request "$@"
		;;
	?*)
		echo "$answer" >&2
		exit 1
		;;
	esac
}

# member NAME prints a text member of the answer that has no escapes in it.
member() { printf '%s\n' "$answer" | sed -n 's/.*"'"$1"'":"\([^"\\]*\)".*/\1/p'; }

while [ "$matches" -gt 0 ]; do
	request POST join "$UMPIRE_KEY" '{"wait":30}'
	ticket=$(member ticket)
	[ -n "$ticket" ] || continue
	turn=1
	request GET "seat/turns/1?wait=30" "$ticket"
	while :; do
		case $(member state) in
		over | void) break ;;
		wait) request GET "seat/turns/$turn?wait=30" "$ticket" ;;
		*)
			# In the state "done" this program was started again: it reads what it replied.
			reply=$(member reply)
			request PUT "seat/turns/$turn?wait=30" "$ticket" "{\"reply\":\"${reply:-$(choose $turn)}\"}"
			turn=$((turn + 1))
			;;
		esac
	done
	echo "$answer"
	# A void match is played again.
	[ "$(member state)" = void ] || matches=$((matches - 1))
done
