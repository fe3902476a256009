/** Parts of a definition that cannot run, and why. */
export const en = {
  'pipelines-cannot-run': '{name} cannot run. {problems}',
  'pipelines-lint-no-agent':
    'There is no build agent for this team, so builds will wait. Ask an administrator to add one.',
  'pipelines-lint-agent-os':
    'No build agent runs on {os}, so this will wait. Add such an agent, or choose another operating system.',
  'pipelines-lint-agent-executor':
    'No build agent on {os} offers the executor {executor}, so this will wait. Add such an agent, or choose another executor.',
  'pipelines-lint-agent-labels':
    'No build agent has all of the labels {labels}, so this will wait. Add them to an agent, or ask for fewer here or in the settings.',
  'pipelines-lint-agent-image':
    'The build image {image} runs in {clusters} only, and no build agent that could run this job is there, so it will wait. Choose another image, or ask an administrator to lift the limit or to name the cluster of an agent.',
  'pipelines-lint-agent-old':
    'Every build agent that could run the step {step} is too old for it, so this will wait. Ask an administrator to update one.',
  'pipelines-lint-parameter': 'The pipeline has no parameter {name}. Add it in the settings, or name another one.',
  'pipelines-lint-output-several':
    'Several jobs set {name}, and the last of them counts. Name the job, such as {long}.',
  'pipelines-lint-output':
    'No earlier step named {step} writes outputs, so {name} stays empty. Name a script step that comes before this one.',
  'pipelines-lint-registry':
    'The step {step} pushes to a registry that is gone or not available to the team. Choose another one.',
  'pipelines-lint-stack': 'The step {step} deploys to a stack that is gone. Choose another one.',
  'pipelines-lint-service':
    'The stack {stack} has no service {service}, so the step {step} will fail. Create the service, or let the step create it.',
  'pipelines-lint-image-step':
    'The step {step} deploys the image of {image}, but no earlier image step has that name. Choose another one.',
  'pipelines-lint-job-image': 'The job {job} runs in containers, and has no build image. Choose one.',
  'pipelines-lint-job-service':
    'The service {service} of the job {job} is of a build image that is gone or of another team. Choose another one.',
  'pipelines-ui-lint-found': '{count} {count:thing|things} that cannot run yet',
}
