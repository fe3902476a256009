import { readSshUrl } from '@gantry/contract/pipelines/repository-url'

/**
 * The beginnings of addresses on the checkout's own host, as words of a shell: submodules there are fetched with the
 * repository's own login.
 */
export function ownHost(url: string): string {
  const ssh = readSshUrl(url)
  if (!ssh) return `${new URL(url).origin}/`
  const host = ssh.host.includes(':') ? `[${ssh.host}]` : ssh.host
  const at = `${ssh.user}@${host}`
  return [`ssh://${at}:${ssh.port}/`, ...(ssh.port === 22 ? [`ssh://${at}/`, `${at}:`] : [])].join(' ')
}

/**
 * Shell functions of the checkout script for submodules. `git submodule` is not used: it takes settings from
 * `.gitmodules`, which anybody may have written, and passes this step's settings on to only some of its parts. Each
 * submodule is fetched by the functions that fetch the repository, into its own repository in its folder.
 *
 * Submodules that cannot be fetched are logged with the cause, and their folders stay empty.
 */
export const submoduleFunctions = `
tab=$(printf '\\t')
gitlinks() {
  git -c core.quotePath=false ls-tree -r HEAD | sed -n "s/^160000 commit [0-9a-f]*$tab//p"
}
# A path that git writes in quotes, and an address, may hold anything: neither is shown as it is.
without_login() {
  printf '%s\\n' "$1" | tr -d '[:cntrl:]' | sed 's#//[^/@]*@#//#'
}
left_out() {
  echo "Left out the submodule $1: $2"
}
last_words() {
  { grep -E '^(fatal|error): ' "$errors" || cat "$errors"; } | tail -n 1 | cut -c 1-500 |
    sed -e 's/^[a-z]*: //' -e 's#//[^/@]*@#//#'
}

# Whether what a repository names may be asked for: https anywhere, anything else at the checkout's own host alone.
may_ask() {
  case $1 in
    '' | -* | *[[:space:]]* | *[[:cntrl:]]*) why='its address is not valid.'; return 1 ;;
  esac
  for own in $GANTRY_GIT_OWN; do
    case $1 in "$own"*) return 0 ;; esac
  done
  case $1 in
    https://[!/]*) return 0 ;;
    http://*) why='http is used for the host of the pipeline’s repository alone.' ;;
    ssh://* | *@*:*) why='there is no key for that host. Name it by https or by a relative address.' ;;
    *) why='only https and relative addresses are fetched.' ;;
  esac
  return 1
}

# $1 the address of the repository that names it, $2 what it names.
resolve() {
  base=\${1%/} named=$2 between=/
  case $named in
    ./* | ../*) ;;
    *) printf '%s\\n' "$named"; return ;;
  esac
  while :; do
    case $named in
      ./*) named=\${named#./} ;;
      ../*)
        named=\${named#../}
        case $base in
          *://*/*) base=\${base%/*} ;;
          *://*) return 1 ;;
          */*) base=\${base%/*} ;;
          *:*) base=\${base%:*} between=: ;;
          *) return 1 ;;
        esac ;;
      *) break ;;
    esac
  done
  printf '%s\\n' "$base$between$named"
}

# $1 the commit. Where the host gives no single commits, it is in what the branches and tags have.
fetch_commit() {
  depth=$GANTRY_GIT_DEPTH
  try "$1" && return 0
  said "$missing|not our ref|unadvertised object|does not allow request" || return 1
  for refs in '+refs/heads/*:refs/remotes/origin/*' '+refs/tags/*:refs/tags/*'; do
    fetch '' "$refs" || return 1
    git cat-file -e "$1^{commit}" 2> /dev/null && return 0
  done
  echo "fatal: it has no commit $1" > "$errors"
  return 1
}

# $1 the folder, $2 the commit, $3 the address. What was in the folder before is not trusted to be a repository.
fetch_submodule() {
  (
    cd "./$1" && rm -rf .git && git init --quiet --template= . || exit 1
    git config remote.origin.url "$3"
    git config remote.origin.fetch '+refs/heads/*:refs/remotes/origin/*'
    if fetch_commit "$2" && git checkout --quiet --force --detach "$2" 2> "$errors"; then exit 0; fi
    left_out "$4$1" "$(without_login "$3") says: $(last_words)"
    rm -rf .git
    exit 1
  )
}

# In a repository that is checked out: $1 its address, $2 its folder in the workspace, with a slash where there is one.
submodules() {
  git config -z --blob HEAD:.gitmodules --get-regexp '^submodule\\..*\\.path$' 2> /dev/null |
    tr '\\n\\000' '\\t\\n' > .git/gantry-submodules
  gitlinks > .git/gantry-gitlinks
  while IFS= read -r path <&3; do
    cut -f 2- .git/gantry-submodules | grep -q -F -x -e "$path" || left_out "$2$path" '.gitmodules has no address for it.'
  done 3< .git/gantry-gitlinks
  while IFS="$tab" read -r key path <&3; do
    name=$2$(without_login "$path")
    case /$path/ in
      */../* | //*) left_out "$name" 'its path leads out of the repository.'; continue ;;
    esac
    commit=$(git ls-tree HEAD -- "$path" 2> /dev/null | sed -n 's/^160000 commit \\([0-9a-f]*\\).*/\\1/p')
    [ -n "$commit" ] && grep -q -F -x -e "$path" .git/gantry-gitlinks || continue
    if [ "$(cd "./$path" 2> /dev/null && pwd -P)" != "$(pwd -P)/$path" ]; then
      left_out "$name" 'its path leads out of the repository.'
      continue
    fi
    named=$(git config --blob HEAD:.gitmodules --get "\${key%.path}.url") || named=
    if ! address=$(resolve "$1" "$named"); then left_out "$name" 'its address leads out of its host.'
    elif ! may_ask "$address"; then left_out "$name" "$why Its address is $(without_login "$named")"
    elif fetch_submodule "$path" "$commit" "$address" "$2"; then
      # git’s own commands for submodules go on with it.
      git config "\${key%.path}.url" "$address" || :
      echo "Fetched the submodule $name at $(printf %.10s "$commit") from $(without_login "$address")"
      (
        cd "./$path"
        large_files "$name/"
        if [ "$GANTRY_GIT_SUBMODULES" = recursive ]; then submodules "$address" "$name/"
        else
          gitlinks | while IFS= read -r path; do
            left_out "$name/$path" 'the step fetches the repository’s own alone (submodules: direct).'
          done
        fi
        rm -f "$errors"
      )
    fi
  done 3< .git/gantry-submodules
  rm -f .git/gantry-submodules .git/gantry-gitlinks
}
`
