import { PipelineFrame } from './pipeline-frame.tsx'

export function SettingPage() {
  return <PipelineFrame screen="cd-setting">{() => null}</PipelineFrame>
}
