/** Terminals in jobs of builds. */
export const en = {
  'pipelines-terminal-not-begun': 'This job has not begun. Open a terminal once one of its steps runs.',
  'pipelines-terminal-no-script':
    'No script of this job is running at the moment. A terminal opens in a script step only, because other steps may hold credentials that scripts must not see. Try again when a script step runs.',
  'pipelines-terminal-ended':
    'This job has ended, and its workspace is gone: only failed jobs leave one. Run the job again and open a terminal while a step runs.',
  'pipelines-terminal-not-kept':
    'This job has failed and its workspace is gone. Turn on “Keep workspace for a retry” for the job, or for its stage: the workspace of its next failure then stays on the agent, for 24 hours unless the agent says otherwise.',
  'pipelines-terminal-agent-gone':
    'The agent that ran this job was removed, and the job’s files with it. Run the job again.',
  'pipelines-terminal-agent-offline':
    'The agent {agent} is offline. Wait until it is connected again, or run the job again on another agent.',
  'pipelines-terminal-not-isolated':
    'The agent {agent} runs steps without isolation, and a terminal would reach everything on its machine. Run the job on an agent with isolation.',
  'pipelines-terminal-pod-gone':
    'This job has failed, and its files are gone with its pod: jobs in Kubernetes keep no workspace. Run the job again and open a terminal while a step runs, or let it run on the agent’s machine as a process or container.',
  'pipelines-terminal-agent-silent':
    'The agent {agent} did not open the terminal within 20 seconds. Try again; if it happens again, ask an administrator to look at the agent.',
  'pipelines-terminal-agent-lost':
    'The connection to the agent {agent} was lost. Try again once the agent is connected.',
  'pipelines-terminal-time-over':
    'A terminal closes after {minutes} {minutes:minute|minutes}. Open another one to go on.',
  'pipelines-ui-terminal': 'Terminal',
  'pipelines-ui-terminal-about':
    'A shell in the step that runs, or in the workspace that a failed job has kept. It sees what the step sees and closes after {minutes} {minutes:minute|minutes} at the latest. The audit trail tells who opened it.',
  'pipelines-ui-terminal-open': 'Open terminal',
  'pipelines-ui-terminal-open-in': 'Open terminal in {name}',
  'pipelines-ui-terminal-in': 'Terminal in {name}',
  'pipelines-ui-terminal-left': 'Closes in {time}',
  'pipelines-ui-terminal-close': 'Close terminal',
}
