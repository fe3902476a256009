/**
 * The manual's reference of a definition: a sentence for each key that the form's own texts do not explain, by section
 * and key, or by key alone if it means the same everywhere.
 */
export const en = {
  'definition-reference-key': 'Key',
  'definition-reference-value': 'Value',
  'definition-reference-meaning': 'Meaning',
  'definition-reference-required': 'required',
  'definition-reference-default': 'default: {value}',
  'definition-reference-one-of': 'one of {values}',
  'definition-reference-text': 'text',
  'definition-reference-integer': 'whole number',
  'definition-reference-number': 'number',
  'definition-reference-boolean': 'true or false',
  'definition-reference-object': 'keys of its own',
  'definition-reference-map': 'names of your own',
  'definition-reference-list': 'list',
  'definition-reference-each': '{list}; each: {what}',
  'definition-reference-least': 'at least {least}',
  'definition-reference-most': 'at most {most}',
  'definition-reference-range': '{least} to {most}',
  'definition-reference-characters': 'at most {most} characters',
  'definition-reference-entries': 'at most {most} entries',
  'definition-reference-not-empty': 'not empty',

  'definition-section.definition': 'Definition',
  'definition-section.stage': 'Stages',
  'definition-section.approval': 'Approvals',
  'definition-section.condition': 'Conditions',
  'definition-section.job': 'Jobs and their retries',
  'definition-section.service': 'Services of a job',
  'definition-section.matrix': 'Matrix',
  'definition-section.step': 'What every step has',

  'definition-about.definition': 'A definition has one key.',
  'definition-about.stage':
    'Stages run one after another. One has either steps, which run in order, or jobs, which run at once.',
  'definition-about.approval': 'Who lets a stage begin that is not of the mode auto, and what they fill in.',
  'definition-about.condition':
    'When a stage, a job or a step runs: everything that is named must hold. In patterns * stands for any text without a slash, ** for any text and ? for one character.',
  'definition-about.job': 'A job runs on an agent in a workspace of its own, beside the other jobs of its stage.',
  'definition-about.service': 'A container beside the steps of a job, such as a database.',
  'definition-about.matrix': 'A job for each combination of values: at most 1000 before some are left out, 100 after.',
  'definition-about.step': 'A step has these keys and those of its type. A failed step ends its build.',
  'definition-about.checkout': 'Clones the pipeline’s repository into the workspace, at the commit of the build.',
  'definition-about.script': 'Runs commands in the workspace.',
  'definition-about.report': 'Publishes test results in JUnit XML.',
  'definition-about.artifact': 'Keeps files of the workspace for download.',
  'definition-about.image': 'Makes an image and pushes it.',
  'definition-about.deploy': 'Deploys an image of this build to a service, and waits until it is ready.',
  'definition-about.helm': 'Installs a chart into a stack, or upgrades the release of that name there.',
  'definition-about.blueprint': 'Upgrades a stack with a version of a product, as one release.',
  'definition-about.cache':
    'Puts into the workspace what an earlier build has kept, and keeps it when its job has succeeded.',
  'definition-about.coverage': 'Publishes coverage reports, and fails where too little is covered.',
  'definition-about.scan': 'Publishes reports of scanners, and fails where they found more than it allows.',
  'definition-about.code-quality':
    'Has the code quality server analyse the workspace, and fails where the code is outside the gate.',
  'definition-about.copy': 'Copies an image from one registry of the team to another, or within one.',
  'definition-about.http': 'Calls an address from the server.',
  'definition-about.mail': 'Sends an email through the mail server of the platform.',
  'definition-about.pipeline': 'Starts another pipeline of the team.',

  'definition-key.name': 'What the page of the build and its logs call it.',
  'definition-key.when': 'When it runs; without it while nothing has failed.',
  'definition-key.timeoutMinutes': 'Time limit in minutes. The step is ended when it is reached, and fails.',
  'definition-key.environment.name': 'Name of the variable.',
  'definition-key.environment.value': 'Value of the variable.',
  'definition-key.repository': 'Path of the image in the registry, such as shop/web.',
  'definition-key.tag':
    'Tag of the image. The build’s number, commit and branch and outputs of earlier steps can be part of it.',

  'definition-key.definition.stages': 'The stages, in the order in which they run.',
  'definition-key.stage.mode':
    'auto: begins by itself. manual: when somebody who may start builds lets it begin. approve: when enough people have agreed who have not started the build.',
  'definition-key.stage.approval': 'Who decides about a stage of the mode manual or approve.',
  'definition-key.stage.steps': 'Steps in order. Consecutive stages with steps share one workspace.',
  'definition-key.stage.jobs': 'Jobs that run at once, instead of steps.',
  'definition-key.approval.hours': 'After so many hours without a decision the build ends.',
  'definition-key.condition.branches': 'The branch matches one of these patterns.',
  'definition-key.condition.tags': 'The build is of a tag that matches one of these patterns.',
  'definition-key.condition.paths':
    'The push or merge request changed a file that matches; ! at the beginning leaves files out. Holds where nobody knows what changed.',
  'definition-key.condition.result':
    'How the build stands so far: success, only while nothing has failed; failed, only after a failure; always, either way.',
  'definition-key.condition.parameter': 'A parameter of the build has one of these values.',
  'definition-key.condition.parameter.name': 'Name of the parameter.',
  'definition-key.condition.parameter.in': 'The values with which the condition holds.',
  'definition-key.condition.output': 'An output of an earlier step has one of these values.',
  'definition-key.condition.output.name':
    'The output as step.KEY, or job.step.KEY where several jobs have such a step.',
  'definition-key.condition.output.in': 'The values with which the condition holds.',
  'definition-key.job.osType': 'Operating system of the agent.',
  'definition-key.job.executor':
    'How the agent runs the steps: as processes of its machine, in containers or in Kubernetes. Without it as processes, on any agent that can.',
  'definition-key.job.timeoutMinutes': 'Time limit in minutes; without it that of the pipeline’s settings.',
  'definition-key.job.retries.count': 'So many times, beyond the first.',
  'definition-key.job.steps': 'The steps, in order. Their names are unique in the job.',
  'definition-key.service.name': 'The name by which the steps reach it.',
  'definition-key.service.image': 'Id of the build image that it is made of.',
  'definition-key.service.environment': 'Variables of the container, such as the password of a database.',
  'definition-key.service.port': 'Steps begin once something listens on this port; without it they do not wait.',
  'definition-key.matrix.axes': 'Each axis is a variable of the steps; its values are those of the jobs.',
  'definition-key.matrix.exclude':
    'Combinations that are left out; one that names fewer axes leaves out all it is part of.',
  'definition-key.step.type': 'What the step does: one of the types below.',
  'definition-key.checkout.submodules':
    'Whose files are fetched: none, those that the repository names, or theirs too.',
  'definition-key.script.run': 'The commands. With set -e among them a command that fails ends the step.',
  'definition-key.script.shell': 'The shell that reads them.',
  'definition-key.image.copy.from': 'Files of the workspace; * matches within a name, ** across folders.',
  'definition-key.image.copy.to': 'Absolute path in the image.',
  'definition-key.image.entrypoint': 'What the container runs, an argument per entry.',
  'definition-key.image.command': 'Arguments of the entrypoint, or what runs without one.',
  'definition-key.image.workingDirectory':
    'The folder that the container begins in; without it that of the base image.',
  'definition-key.image.environment':
    'Variables that are part of the image. No secrets: whoever gets the image reads them.',
  'definition-key.image.ports': 'Ports that the image says it listens on.',
  'definition-key.image.dockerfile': 'Of the method dockerfile: where its Dockerfile is, by id or path.',
  'definition-key.image.dockerfile.id': 'Id of a Dockerfile that the team keeps.',
  'definition-key.image.dockerfile.path': 'Path of a file of the workspace.',
  'definition-key.image.arguments.name': 'Name of the argument.',
  'definition-key.image.arguments.value': 'Value of the argument.',
  'definition-key.deploy.imageFrom':
    'Name of the step whose image is deployed; without it the last image of the build.',
  'definition-key.deploy.create':
    'The specification of the service, to create it where the stack has none of that name. Without it the step then fails. The form of the step fills it in.',
  'definition-key.helm.repositoryId': 'Id of the chart repository.',
  'definition-key.helm.chart': 'Name of the chart in the repository.',
  'definition-key.helm.version': 'Version of the chart.',
  'definition-key.helm.values':
    'YAML: what differs from the chart’s values and those of the last deployment. Outputs and variables can be named.',
  'definition-key.blueprint.blueprintId': 'Id of the version of a product.',
  'definition-key.blueprint.inputs': 'Inputs of the blueprint by name. Outputs and variables can be named.',
  'definition-key.blueprint.confirm': 'Whether the release is confirmed when it is ready, or waits for a person.',
  'definition-key.cache.key':
    'Name of what is kept. The content of files, outputs and variables can be part of it: another key is another entry.',
  'definition-key.copy.from': 'The image as path:tag or path@digest. Outputs can be named.',
  'definition-key.http.method': 'Method of the call.',
  'definition-key.http.url':
    'Address of the call. Outputs and variables can be named here, in headers and in the body.',
  'definition-key.http.headers.name': 'Name of the header.',
  'definition-key.http.headers.value': 'Value of the header.',
  'definition-key.http.body': 'What is sent.',
  'definition-key.mail.subject': 'Subject of the email. Outputs and variables can be named.',
  'definition-key.mail.text':
    'Text of the email. Outputs and variables can be named; with a secret in it the step fails.',
  'definition-key.pipeline.parameters': 'Values of the other pipeline’s parameters by name. Outputs can be named.',
}
