import type { en } from './definition-files.en.ts'

export const zh: typeof en = {
  'definition-path': '请输入从代码仓库根目录开始的 .yaml 或 .yml 文件路径，例如 .gantry.yaml',
  'git-commit-unknown': '代码仓库中已没有提交 {commit}。请重新运行该分支，或重新推送该提交。',
  'git-file-missing': '提交 {commit} 中没有文件 {path}。请把它添加到分支并推送，或在流水线的设置中修改路径。',
  'git-file-not-plain': '提交 {commit} 中的 {path} 是文件夹、链接或子模块。它必须是普通文件。',
  'git-file-not-text': '提交 {commit} 中的 {path} 不是 UTF-8 文本。请以 UTF-8 保存并重新推送。',
  'git-file-too-large': '提交 {commit} 中的 {path} 超过 {most} KiB。请把较长的脚本放到单独的文件中。',
  'git-repository-too-large':
    '代码仓库所在的主机不支持部分克隆，为一个文件发送了超过 {most} MiB 的数据。请在该主机上启用部分克隆（uploadpack.allowFilter），或把定义保存在本控制台中。',
  'pipelines-file-syntax': '这不是有效的 YAML：{detail}',
  'pipelines-file-key-twice': '键 {key} 出现了两次。请只保留一个。',
  'pipelines-file-too-many-parts':
    '算上别名所代表的全部内容，该定义超过 {most} 个部分。请减少别名，或将其拆分为多个流水线。',
  'pipelines-file-empty': '文件中还没有阶段。请添加一个带步骤的阶段。',
  'pipelines-file-wrong':
    '提交 {commit} 的 {path} 中的定义无法运行：有 {count} 个问题，第一个在第 {line} 行第 {column} 列。请修改文件并推送：新提交的构建会重新读取该文件。',
  'pipelines-file-without-repository':
    '{name} 的定义不能保存在文件中，因为该流水线没有代码仓库。请填写代码仓库，或把定义保存在本控制台中。',
  'pipelines-file-decides': '{name} 的阶段由其代码仓库中的文件 {path} 决定。请在文件中修改，或先把定义接管到本控制台。',
  'pipelines-file-not-used': '{name} 的定义在本控制台中，而不在文件中。请先在流水线的设置中选择文件。',
  'pipelines-ui-definition-place': '定义',
  'pipelines-ui-definition-about': '构建所运行的阶段和步骤保存在哪里',
  'pipelines-ui-definition-console': '在本控制台中',
  'pipelines-ui-definition-console-help': '在此以表单或 YAML 编辑；每次修改都是一个版本',
  'pipelines-ui-definition-in-file': '在代码仓库的文件中',
  'pipelines-ui-definition-in-file-help':
    '每次构建都读取其提交中的该文件。能够推送代码的人决定运行什么，使用触发构建者或保存触发器者的权限。',
  'pipelines-ui-definition-needs-repository': '使用文件需要代码仓库。请先在上方填写。',
  'pipelines-ui-definition-path': '文件路径',
  'pipelines-ui-definition-path-help': '从代码仓库的根目录开始',
  'pipelines-ui-definition-branch': '显示的分支',
  'pipelines-ui-definition-branch-help': '本控制台显示该分支上的文件；留空则为上方代码仓库的分支',
  'pipelines-ui-file-note':
    '由代码仓库中的文件 {path} 决定：每次构建都读取其提交中的该文件。以下是分支 {branch} 上的文件。',
  'pipelines-ui-file-commit': '提交',
  'pipelines-ui-file-fine': '未发现问题',
  'pipelines-ui-file-problems': '该提交的构建会失败：{count} 个问题',
  'pipelines-ui-file-warnings': '以目前的情况无法运行：{count} 个警告',
  'pipelines-ui-file-place': '第 {line} 行，第 {column} 列',
  'pipelines-ui-file-read-again': '重新读取',
  'pipelines-ui-file-take-over': '接管到控制台',
  'pipelines-ui-file-take-over-title': '把 {name} 的定义接管到控制台？',
  'pipelines-ui-file-take-over-text':
    '提交 {commit} 的阶段连同注释将成为这里的一个版本。此后由本控制台决定，文件不再起作用。',
  'pipelines-ui-file-export': '导出为文件',
  'pipelines-ui-file-export-title': '把 {name} 的定义保存在其代码仓库中',
  'pipelines-ui-file-export-commit': '将以下文本提交为 {path} 并推送',
  'pipelines-ui-file-export-choose': '在设置中选择定义在文件中。在此之前，构建运行本控制台中的阶段。',
  'pipelines-ui-file-text': '文件内容',
  'pipelines-ui-file-settings': '前往设置',
  'pipelines-ui-file-unsaved': '文本包含尚未保存的修改。',
  'pipelines-ui-build-reads': '正在从代码仓库的 {path} 读取定义',
  'pipelines-ui-build-definition-at': '{path}，提交',
  'pipelines-ui-versions-file':
    '构建运行什么由代码仓库中的文件 {path} 决定。以下是设置的版本，以及本控制台曾有的定义的版本。',
}
