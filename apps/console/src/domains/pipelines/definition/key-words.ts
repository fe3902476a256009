import { isPhrase, t, type PhraseKey } from '../../../api/language.ts'

/** The labels of the form's fields, by the key that each writes; what belongs to every step is under `step`. */
const labels: Record<string, PhraseKey> = {
  stages: 'pipelines-ui-stages',
  'stage.name': 'pipelines-ui-name',
  'stage.mode': 'pipelines-ui-mode',
  'stage.approval.users': 'pipelines-ui-approval-users',
  'stage.approval.roles': 'pipelines-ui-approval-roles',
  'stage.approval.count': 'pipelines-ui-approval-count',
  'stage.approval.hours': 'pipelines-ui-approval-hours',
  'stage.approval.parameters': 'pipelines-ui-approval-parameters',
  'stage.when': 'pipelines-ui-when',
  'stage.handsOn': 'pipelines-ui-hands-on',
  'stage.keepsWorkspace': 'pipelines-ui-keeps-workspace',
  'job.name': 'pipelines-ui-name',
  'job.labels': 'pipelines-ui-labels',
  'job.osType': 'pipelines-ui-job-os',
  'job.executor': 'pipelines-ui-job-executor',
  'job.image': 'pipelines-ui-job-image',
  'job.services': 'pipelines-ui-job-services',
  'job.services.port': 'pipelines-ui-job-service-port-short',
  'job.services.environment': 'pipelines-ui-environment',
  'job.matrix': 'pipelines-ui-matrix',
  'job.matrix.exclude': 'pipelines-ui-matrix-without',
  'job.timeoutMinutes': 'pipelines-ui-timeout',
  'job.retries.count': 'pipelines-ui-job-retries',
  'job.retries.exitCodes': 'pipelines-ui-job-exit-codes',
  'job.handsOn': 'pipelines-ui-hands-on',
  'job.keepsWorkspace': 'pipelines-ui-keeps-workspace',
  'job.when': 'pipelines-ui-when',
  'when.branches': 'pipelines-ui-when-branches',
  'when.tags': 'pipelines-ui-when-tags',
  'when.paths': 'pipelines-ui-when-paths',
  'when.result': 'pipelines-ui-when-result',
  'when.parameter': 'pipelines-ui-when-parameter',
  'when.parameter.in': 'pipelines-ui-when-in',
  'when.output': 'pipelines-ui-when-output',
  'when.output.in': 'pipelines-ui-when-in',
  'step.name': 'pipelines-ui-name',
  'step.always': 'pipelines-ui-always',
  'step.when': 'pipelines-ui-when',
  'step.files': 'pipelines-ui-files',
  'step.stackUuid': 'pipelines-ui-stack',
  'step.timeoutMinutes': 'pipelines-ui-timeout',
  'step.environment': 'pipelines-ui-environment',
  'step.registryId': 'pipelines-ui-registry',
  'step.repository': 'pipelines-ui-image-path',
  'step.tag': 'pipelines-ui-tag',
  'checkout.depth': 'pipelines-ui-depth',
  'checkout.submodules': 'pipelines-ui-submodules',
  'script.run': 'pipelines-ui-script',
  'script.shell': 'pipelines-ui-shell',
  'report.failOnFailure': 'pipelines-ui-fail-on',
  'image.method': 'pipelines-ui-method',
  'image.base': 'pipelines-ui-base',
  'image.copy': 'pipelines-ui-copy',
  'image.copy.from': 'pipelines-ui-copy-from',
  'image.copy.to': 'pipelines-ui-copy-to',
  'image.entrypoint': 'pipelines-ui-entrypoint',
  'image.command': 'pipelines-ui-command',
  'image.workingDirectory': 'pipelines-ui-directory',
  'image.user': 'pipelines-ui-user',
  'image.ports': 'pipelines-ui-ports',
  'image.dockerfile': 'pipelines-ui-dockerfile',
  'image.context': 'pipelines-ui-context',
  'image.arguments': 'pipelines-ui-arguments',
  'image.target': 'pipelines-ui-target',
  'deploy.service': 'pipelines-ui-service',
  'deploy.imageFrom': 'pipelines-ui-image-from',
  'deploy.confirm': 'pipelines-ui-confirm',
  'deploy.create': 'pipelines-ui-make',
  'deploy.create.replicas': 'pipelines-ui-replicas',
  'helm.release': 'pipelines-ui-helm-release',
  'helm.repositoryId': 'pipelines-ui-helm-repository',
  'helm.chart': 'pipelines-ui-helm-chart',
  'helm.version': 'pipelines-ui-helm-version',
  'helm.values': 'pipelines-ui-helm-values',
  'blueprint.blueprintId': 'pipelines-ui-blueprint-which',
  'blueprint.inputs': 'pipelines-ui-blueprint-inputs',
  'blueprint.confirm': 'pipelines-ui-blueprint-confirm',
  'cache.key': 'pipelines-ui-cache-key',
  'cache.fallbacks': 'pipelines-ui-cache-fallbacks',
  'cache.paths': 'pipelines-ui-cache-paths',
  'coverage.minimum': 'pipelines-ui-coverage-minimum',
  'coverage.maximumDrop': 'pipelines-ui-coverage-drop',
  'scan.limits': 'pipelines-ui-scan-limits',
  'code-quality.run': 'code-quality-ui-run',
  'code-quality.folder': 'code-quality-ui-folder',
  'code-quality.gate': 'code-quality-ui-gate',
  'copy.fromRegistryId': 'pipelines-ui-copy-registry',
  'copy.from': 'pipelines-ui-copy-image',
  'http.method': 'pipelines-ui-http-method',
  'http.url': 'pipelines-ui-http-url',
  'http.headers': 'pipelines-ui-http-headers',
  'http.body': 'pipelines-ui-http-body',
  'http.statuses': 'pipelines-ui-http-statuses',
  'http.timeoutSeconds': 'pipelines-ui-http-timeout',
  'mail.to': 'pipelines-ui-mail-to',
  'mail.subject': 'pipelines-ui-mail-subject',
  'mail.text': 'pipelines-ui-mail-text',
  'pipeline.pipelineId': 'pipelines-ui-pipeline-which',
  'pipeline.branch': 'pipelines-ui-branch',
  'pipeline.parameters': 'pipelines-ui-parameters',
  'pipeline.wait': 'pipelines-ui-pipeline-wait',
}

/** Where a field is explained by another phrase than that of its label with `-help` behind it. */
const helps: Record<string, PhraseKey> = {
  'stage.approval.users': 'pipelines-ui-approval-who-help',
  'stage.approval.roles': 'pipelines-ui-approval-who-help',
  'job.labels': 'pipelines-ui-job-labels-help',
  'job.timeoutMinutes': 'pipelines-ui-job-timeout-help',
  'when.branches': 'pipelines-ui-when-pattern',
  'when.tags': 'pipelines-ui-when-pattern',
  'when.paths': 'pipelines-ui-when-pattern',
  'step.registryId': 'pipelines-ui-registry-where',
  'report.files': 'pipelines-ui-files-report',
  'artifact.files': 'pipelines-ui-files-artifact',
  'coverage.files': 'pipelines-ui-files-coverage',
  'scan.files': 'pipelines-ui-files-scan',
  'blueprint.stackUuid': 'pipelines-ui-blueprint-stack-help',
  'helm.stackUuid': 'pipelines-ui-helm-stack-help',
  'pipeline.pipelineId': 'pipelines-ui-pipeline-help',
  'pipeline.branch': 'pipelines-ui-pipeline-branch-help',
}

/** The phrases of values, as the beginnings and ends that surround them. */
const values: Record<string, [before: string, after?: string]> = {
  'stage.mode': ['pipelines-ui-mode-', '-name'],
  'job.executor': ['pipelines-ui-job-executor-'],
  'when.result': ['pipelines-ui-when-result-'],
  'step.type': ['pipelines-ui-step-'],
  'checkout.submodules': ['pipelines-ui-submodules-'],
  'image.method': ['pipelines-ui-method-'],
}

/** What stands in a text for itself. */
const named = { hash: '${hash:package-lock.json}', output: '${outputs.step.KEY}', variable: '${variables.NAME}' }

const text = (key: string | undefined): string | undefined =>
  key !== undefined && isPhrase(key) ? t(key, named) : undefined

/** How the form calls a key of the definition, or one of its values, and what it says of it: `stages.steps.script.run`. */
export function wordsOfKey(path: string, value?: string): { name?: string | undefined; help?: string | undefined } {
  const own = path
    .replace(/^.*\.when\./, 'when.')
    .replace(/^stages\.(jobs\.)?steps\./, '')
    .replace(/^stages\.jobs\./, 'job.')
    .replace(/^stages\./, 'stage.')
  const common = `step.${own.replace(/^[^.]*\./, '')}`
  if (value !== undefined) {
    const [before, after = ''] = values[own] ?? values[common] ?? ['']
    return { name: text(`${before}${value}${after}`), help: text(`${before}${value}-help`) }
  }
  const label = labels[own] ?? labels[common]
  return { name: text(label), help: text(helps[own] ?? helps[common] ?? `${label}-help`) }
}
