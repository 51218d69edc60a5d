#compdef umpire
# Completion of umpire for zsh: source <(umpire completion zsh), or save it as
# _umpire in a folder of $fpath.

_umpire() {
    local kind line
    local -a replies described
    replies=("${(@f)$("${(Q)words[1]/#\~/$HOME}" __complete -- "${(@Q)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)}")
    kind=$replies[1]
    for line in "${(@)replies[2,-1]}"; do
        described+=("${${line%%$'\t'*}//:/\\:}${${line#*$'\t'}:+:${line#*$'\t'}}")
    done
    (($#described)) && _describe -V value described
    case $kind in
    files)
        compset -P '[^/=]##='
        _files
        ;;
    folders) _files -/ ;;
    esac
}

if [[ $funcstack[1] == _umpire ]]; then
    _umpire "$@"
else
    # compdef is there once compinit has run, which not everybody's ~/.zshrc does.
    (( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i }
    compdef _umpire umpire
fi
