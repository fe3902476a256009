/** Dockerfiles of a team, for its pipelines. */
export const en = {
  // Refusals
  'dockerfiles-name-taken': 'The team already has a Dockerfile named {name}. Choose another name.',
  'dockerfiles-changed-since':
    '{by} has changed the Dockerfile {name} since you opened it. Open it again to see that change, then make yours.',
  'dockerfiles-in-use':
    'The Dockerfile {name} is used by {count} {count:pipeline|pipelines}: {pipelines}. Choose another one in their image steps first.',
  'dockerfile-name-too-long': 'The name of a Dockerfile has at most 255 characters',
  'dockerfile-content-required': 'Enter the instructions, beginning with FROM',
  'dockerfile-too-long': 'A Dockerfile has at most 100,000 characters',
  'dockerfile-required': 'Choose a Dockerfile',
  'dockerfile-needs-method': 'Only the method “dockerfile” builds by a Dockerfile',
  'place-invalid': 'Enter a relative path in the workspace without “..” and without patterns',
  'argument-name': 'Use letters, digits and underscores, and do not begin with a digit',
  'argument-value': 'The value contains a character that no command line can hold',
  'target-invalid': 'The name of a stage has letters, digits, dots, hyphens and underscores',

  // The list
  'dockerfiles-ui-about': 'Dockerfiles that the image steps of the team’s pipelines build by',
  'dockerfiles-ui-create': 'Create Dockerfile',
  'dockerfiles-ui-search': 'Search by name or description',
  'dockerfiles-ui-name': 'Name',
  'dockerfiles-ui-description': 'Description',
  'dockerfiles-ui-pipelines': 'Pipelines',
  'dockerfiles-ui-none': 'No Dockerfiles yet',
  'dockerfiles-ui-none-memo':
    'A Dockerfile that is kept here serves any number of pipelines. One that belongs to a repository is better kept there: an image step can build by either.',
  'dockerfiles-ui-open': 'Open',
  'dockerfiles-ui-clone': 'Clone',
  'dockerfiles-ui-clone-title': 'Clone the Dockerfile {name}',
  'dockerfiles-ui-clone-help': 'The first free name, if this is left empty',
  'dockerfiles-ui-delete-title': 'Delete the Dockerfile {name}?',
  'dockerfiles-ui-delete-text': 'No pipeline builds by it. Images that were built by it stay.',

  // One Dockerfile
  'dockerfiles-ui-edit-title': 'Dockerfile {name}',
  'dockerfiles-ui-content': 'Instructions',
  'dockerfiles-ui-findings': 'What could be better',
  'dockerfiles-ui-fine': 'Nothing to improve was found',
  'dockerfiles-ui-finding': 'Line {line}: {text}',
  'dockerfiles-ui-severity-error': 'Error',
  'dockerfiles-ui-severity-warning': 'Warning',
  'dockerfiles-ui-severity-info': 'Hint',

  // Findings
  'dockerfiles-lint-no-from': 'There is no FROM: say which image this one is based on, or FROM scratch',
  'dockerfiles-lint-from-first': '{instruction} stands before the first FROM, where only ARG may stand',
  'dockerfiles-lint-from-format': 'Write FROM image:tag, or FROM image:tag AS name',
  'dockerfiles-lint-unknown': 'There is no instruction {instruction}',
  'dockerfiles-lint-empty': '{instruction} says nothing: something must follow it',
  'dockerfiles-lint-heredoc-open': 'The text that begins here has no end: a line with {end} alone is missing',
  'dockerfiles-lint-stage-twice': 'An earlier stage is named {name} already',
  'dockerfiles-lint-stage-unknown': '--from={name} is not a stage before this one',
  'dockerfiles-lint-port': '{port} is not a port: use 1 to 65535, with /tcp or /udp if need be',
  'dockerfiles-lint-exec-form':
    'The brackets of {instruction} are not JSON, so a shell gets them as they are. Use double quotes.',
  'dockerfiles-lint-latest': '{image} is whatever its newest version is at each build. Name a version, or a digest.',
  'dockerfiles-lint-add-url': 'ADD fetches {url} unchecked at each build. Fetch it with RUN and compare its checksum.',
  'dockerfiles-lint-add-local': 'COPY does the same here, and unpacks nothing by surprise',
  'dockerfiles-lint-workdir-relative': 'WORKDIR {path} depends on the base image. Begin the path with /.',
  'dockerfiles-lint-maintainer': 'MAINTAINER is obsolete. Use LABEL org.opencontainers.image.authors.',
  'dockerfiles-lint-only-last': 'A later {instruction} of this stage replaces this one',
  'dockerfiles-lint-user-root': 'The container runs as root. End with a USER without rights.',
  'dockerfiles-lint-secret':
    'The value of {name} can be read by everybody who has the image. Pass secrets when the container starts.',
  'dockerfiles-lint-sudo': 'sudo is not needed: RUN works as the user of the last USER',
  'dockerfiles-lint-apt-asks': 'apt asks before it installs, and nobody answers. Add -y.',
  'dockerfiles-lint-run-cd': 'The next instruction does not see this change of folder. Use WORKDIR.',
}
