import { quoted } from '../executors/scripts.ts'

/** Exit codes with which the script below reports what only it can find out. */
export const exits = { engineMissing: 92, contextMissing: 93 }

export interface EngineBuild {
  /** The build context, a folder of the workspace. */
  context: string
  /** Paths as the step sees them: the Dockerfile, and base images as layouts by the names in the Dockerfile. */
  dockerfile: string
  bases: { name: string; layout: string }[]
  arguments: { name: string; value: string }[]
  target: string
}

/** The folder of the result, below the step's home. */
export const resultOf = (step: number): string => `.gantry-images/${step}`

/**
 * Builds with the available engine: buildah and podman need no service and no rights, docker needs a service that the
 * step may use. Every value is one quoted word, and the options of an engine come before the context.
 */
export function engineScript(build: EngineBuild, step: number): string {
  const options = [
    ...build.arguments.map(({ name, value }) => `--build-arg=${name}=${value}`),
    ...(build.target === '' ? [] : [`--target=${build.target}`]),
    `--file=${build.dockerfile}`,
  ].map(quoted)
  const bases = build.bases.map(({ name, layout }) => `take ${quoted(name)} ${quoted(layout)}`)
  return `
store=$HOME/.gantry-images
out=$HOME/${resultOf(step)}
mkdir -p "$store/run"
rm -rf "$out"
export XDG_RUNTIME_DIR="$store/run" _CONTAINERS_USERNS_CONFIGURED=1
[ -d ${quoted(build.context)} ] || exit ${exits.contextMissing}

if command -v buildah > /dev/null || command -v podman > /dev/null; then
  engine=buildah
  command -v buildah > /dev/null || engine=podman
  run() {
    "$engine" --root "$store/images" --runroot "$store/run/images" --storage-driver vfs "$@"
  }
  # it is named after the path at first, and names have no capitals
  take() {
    run tag "$(cd "\${2%/*}" && run pull -q "oci:\${2##*/}")" "$1"
  }
  build() {
    run build --isolation=chroot --iidfile="$store/id" "$@"
  }
  keep() {
    run push -q "$1" "oci:$out"
  }
elif docker version > /dev/null 2>&1; then
  engine=docker
  take() {
    docker tag "$(tar -c -C "$2" . | docker load -q | sed 's/^Loaded image\\( ID\\)\\{0,1\\}: //')" "$1"
  }
  build() {
    docker build --iidfile="$store/id" "$@"
  }
  keep() {
    mkdir -p "$out"
    docker save "sha256:$1" | tar -x -C "$out"
  }
else
  exit ${exits.engineMissing}
fi
echo "Building with $engine"
${bases.join('\n')}
build ${options.join(' ')} -- ${quoted(build.context)}
id=$(cat "$store/id")
keep "\${id#sha256:}"
`
}
