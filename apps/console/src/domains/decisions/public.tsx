export { DecisionList } from './decision-list.tsx'
export { MailSection as DecisionMails } from './mail-section.tsx'
export { useDecisions } from './use-decisions.ts'
