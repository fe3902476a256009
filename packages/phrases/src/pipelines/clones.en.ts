/** Cloning pipelines and their groups, and moving them. */
export const en = {
  'pipelines-clone-name-too-long':
    'The name {name}{suffix} has more than 30 characters. Choose a shorter suffix, or rename {name} first.',
  'pipelines-ui-clone': 'Clone',
  'pipelines-ui-clone-about':
    'A clone has the stages, settings and variables of the original. Its triggers are turned off.',
  'pipelines-ui-clone-what': 'What to clone',
  'pipelines-ui-clone-pipeline': 'One pipeline',
  'pipelines-ui-clone-group': 'A group with all of its pipelines',
  'pipelines-ui-clone-pipeline-pick': 'Pipeline',
  'pipelines-ui-clone-of-group': 'The group {name} is cloned with its pipelines ({count})',
  'pipelines-ui-clone-group-empty': 'This group has no pipelines to clone',
  'pipelines-ui-clone-where': 'Where to',
  'pipelines-ui-clone-name': 'Name of the clone',
  'pipelines-ui-clone-suffix': 'Suffix for pipeline names',
  'pipelines-ui-clone-suffix-help': 'Pipeline names are unique in a team, so that each clone needs another name',
  'pipelines-ui-clone-team': 'Team',
  'pipelines-ui-clone-secrets':
    'Secrets, passwords and secret defaults are not copied to another team. Enter them there again.',
  'pipelines-ui-move': 'Move to another group…',
  'pipelines-ui-move-title': 'Move {name}',
  'pipelines-ui-clone-of': 'Clone of {name}',
  'pipelines-ui-group-move': 'Moves the pipeline with its builds to another group of the team',
  'pipelines-ui-all-groups-about': 'Pipeline groups of all teams',
  'pipelines-ui-all-groups-search': 'Search by group or team',
  'pipelines-ui-team': 'Team',
}
