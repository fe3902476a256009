/** A pipeline's definition as a file of its repository. */
export const en = {
  'definition-path': 'Enter the path of a .yaml or .yml file from the root of the repository, such as .gantry.yaml',
  'git-commit-unknown':
    'The repository no longer has the commit {commit}. Run the branch again, or push the commit again.',
  'git-file-missing':
    'The commit {commit} has no file {path}. Add it to the branch and push it, or change the path in the pipeline’s settings.',
  'git-file-not-plain': '{path} in the commit {commit} is a folder, a link or a submodule. It has to be a plain file.',
  'git-file-not-text': '{path} in the commit {commit} is not a text in UTF-8. Save it as UTF-8 and push it again.',
  'git-file-too-large':
    '{path} in the commit {commit} is larger than {most} KiB. Move long scripts into files of their own.',
  'git-repository-too-large':
    'The host of the repository sends more than {most} MiB for one file, because it does not support partial clones. Enable them there (uploadpack.allowFilter), or keep the definition in this console.',
  'pipelines-file-syntax': 'This is not valid YAML: {detail}',
  'pipelines-file-key-twice': 'The key {key} appears twice. Keep only one.',
  'pipelines-file-too-many-parts':
    'With everything that its aliases stand for, this definition has more than {most} parts. Use fewer aliases, or divide it into several pipelines.',
  'pipelines-file-empty': 'The file has no stages yet. Add a stage with a step.',
  'pipelines-file-wrong':
    'The definition in {path} of the commit {commit} cannot run: {count} {count:problem|problems}, the first in line {line}, column {column}. Mend the file and push it: a build of the new commit reads it anew.',
  'pipelines-file-without-repository':
    'The definition of {name} cannot be in a file, because the pipeline has no repository. Enter a repository, or keep the definition in this console.',
  'pipelines-file-decides':
    'The stages of {name} are those of the file {path} in its repository. Change them there, or take the definition over into this console first.',
  'pipelines-file-not-used':
    'The definition of {name} is in this console, not in a file. Choose the file in the pipeline’s settings first.',
  'pipelines-ui-definition-place': 'Definition',
  'pipelines-ui-definition-about': 'Where the stages and steps are that a build runs',
  'pipelines-ui-definition-console': 'In this console',
  'pipelines-ui-definition-console-help': 'Edited here as a form or YAML; every change is a version',
  'pipelines-ui-definition-in-file': 'In a file of the repository',
  'pipelines-ui-definition-in-file-help':
    'Each build reads the file as it is in its commit. Whoever may push decides what runs, with the rights of who triggers the build or saved the trigger.',
  'pipelines-ui-definition-needs-repository': 'A file needs a repository. Enter one above first.',
  'pipelines-ui-definition-path': 'Path of the file',
  'pipelines-ui-definition-path-help': 'From the root of the repository',
  'pipelines-ui-definition-branch': 'Branch to show',
  'pipelines-ui-definition-branch-help':
    'What this console shows of the file; empty: the branch of the repository above',
  'pipelines-ui-file-note':
    'The file {path} of the repository decides: each build reads it as it is in its commit. This is the file on the branch {branch}.',
  'pipelines-ui-file-commit': 'Commit',
  'pipelines-ui-file-fine': 'No problems found',
  'pipelines-ui-file-problems': 'A build of this commit would fail: {count} {count:problem|problems}',
  'pipelines-ui-file-warnings': 'As things are now, this could not run: {count} {count:warning|warnings}',
  'pipelines-ui-file-place': 'Line {line}, column {column}',
  'pipelines-ui-file-read-again': 'Read again',
  'pipelines-ui-file-take-over': 'Take over into the console',
  'pipelines-ui-file-take-over-title': 'Take the definition of {name} over into the console?',
  'pipelines-ui-file-take-over-text':
    'The stages of the commit {commit} become a version here, with their comments. From then on this console decides, and the file is ignored.',
  'pipelines-ui-file-export': 'Export to a file',
  'pipelines-ui-file-export-title': 'Keep the definition of {name} in its repository',
  'pipelines-ui-file-export-commit': 'Commit this text as {path} and push it',
  'pipelines-ui-file-export-choose':
    'Choose in the settings that the definition is in a file. Until then builds run the stages of this console.',
  'pipelines-ui-file-text': 'The file',
  'pipelines-ui-file-settings': 'Go to the settings',
  'pipelines-ui-file-unsaved': 'Changes that are not saved are part of the text.',
  'pipelines-ui-build-reads': 'Reading the definition from {path} in the repository',
  'pipelines-ui-build-definition-at': '{path} of commit',
  'pipelines-ui-versions-file':
    'The file {path} of the repository decides what builds run. These are the versions of the settings, and of the definition that this console had.',
}
