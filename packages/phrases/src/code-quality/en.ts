/** The code quality server, and the steps that use it. */
export const en = {
  // The server
  'code-quality-token-format': 'A token consists of letters, digits and signs, without spaces',
  'code-quality-token-required': 'Enter a token of a user of the code quality server',
  'code-quality-token-again':
    'The address has changed: enter the token again. A stored one never goes to another server.',
  'code-quality-changed': 'Somebody changed the code quality server meanwhile. Read it again, then make your change.',
  'code-quality-silent':
    'The code quality server {host} does not answer. Check that it runs and that the address is right, then try again.',
  'code-quality-starting': 'The code quality server {host} is not ready ({state}). Try again once it has started.',
  'code-quality-token':
    'The code quality server {host} does not accept the token. It may be wrong, expired or revoked: create a new one there.',
  'code-quality-forbidden': 'The code quality server {host} refuses this to the user of the token: {text}',
  'code-quality-rights':
    'The token of {login} may not do all that steps need at {host}. Use a user token (not one for analyses) of a user with the permissions Execute Analysis and Create Projects.',
  'code-quality-not-one': '{host} answers, but not as a SonarQube. Check the address, with the path if it has one.',
  'code-quality-error': 'The code quality server {host} answers with an error ({status}): {text}',
  'code-quality-old': 'The code quality server {host} has version {version}. Steps need {oldest} or later.',

  // A step and its gate
  'code-quality-count': 'A whole number from 0 to 65535',
  'code-quality-percent': 'A percentage from 0 to 100',
  'code-quality-gate-empty': 'Limit at least one of bugs, vulnerabilities, smells, coverage and duplication',
  'code-quality-windows':
    'Windows agents cannot check code quality. Choose another system, or move the step to another job.',
  'code-quality-none':
    'There is no code quality server, or it was changed meanwhile. An administrator sets it under Settings, Delivery tools.',
  'code-quality-foreign-analysis':
    'The analysis that the step names is not of this step. Let its command run a scanner with the project key and token that it is given. Details: {url}',
  'code-quality-analysis-failed': 'The code quality server could not process the analysis: {text}. Details: {url}',
  'code-quality-refused': 'The code is outside the quality gate: {problems}. Details: {url}',

  // Screens
  'code-quality-ui-about':
    'The servers that pipelines of all teams use: one that judges their code, one that has their packages, and TAPD',
  'code-quality-ui-server': 'Code quality server',
  'code-quality-ui-server-about':
    'A SonarQube from version 9.9. It is tested before it is saved. Each pipeline gets a project of its own there; a step gets a token for that project alone, which is revoked when the step has ended.',
  'code-quality-ui-url': 'Address',
  'code-quality-ui-url-help': 'As agents and this server reach it; empty removes the server',
  'code-quality-ui-token': 'User token',
  'code-quality-ui-token-help': 'Of a user who may execute analyses and create projects',
  'code-quality-ui-version': 'It answers, with version {version}',
  'code-quality-ui-no-version': 'There is no code quality server yet',
  'code-quality-ui-run': 'Command',
  'code-quality-ui-run-help':
    'Empty: sonar-scanner of the agent. Otherwise any scanner, such as mvn sonar:sonar: address, project key and token are in its environment.',
  'code-quality-ui-folder': 'Folder',
  'code-quality-ui-folder-help': 'What sonar-scanner analyses, of the workspace',
  'code-quality-ui-gate': 'Quality gate',
  'code-quality-ui-gate-help': 'The step fails outside any of these limits; leave out what does not matter',
  'code-quality-ui-limit-bugs': 'Bugs, at most',
  'code-quality-ui-limit-vulnerabilities': 'Vulnerabilities, at most',
  'code-quality-ui-limit-smells': 'Code smells, at most',
  'code-quality-ui-limit-coverage': 'Coverage, at least',
  'code-quality-ui-limit-duplication': 'Duplication, at most',
  'code-quality-ui-tab': 'Code quality',
  'code-quality-ui-measure': 'Measure',
  'code-quality-ui-value': 'Found',
  'code-quality-ui-limit': 'Limit',
  'code-quality-ui-measure-bugs': 'Bugs',
  'code-quality-ui-measure-vulnerabilities': 'Vulnerabilities',
  'code-quality-ui-measure-smells': 'Code smells',
  'code-quality-ui-measure-coverage': 'Coverage',
  'code-quality-ui-measure-duplication': 'Duplicated lines',
  'code-quality-ui-at-most': 'at most {limit}',
  'code-quality-ui-at-least': 'at least {limit}',
  'code-quality-ui-unlimited': 'no limit',
  'code-quality-ui-unmeasured': 'not measured',
  'code-quality-ui-passed': 'Within the quality gate',
  'code-quality-ui-refused': 'Outside the quality gate',
  'code-quality-ui-open': 'Open at the code quality server',
  'code-quality-ui-no-results': 'No code quality results',
  'code-quality-ui-no-results-memo':
    'They appear when a code quality step of this build has its result. Add such a step to the pipeline, behind the checkout.',
}
