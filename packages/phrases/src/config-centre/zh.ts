import type { en } from './en.ts'

export const zh = {
  'config-template-name-format': '模板名就是文件名，只能包含字母、数字、点、连字符和下划线',
  'config-value-too-long': '值最多 65,536 个字符',
  'config-value-too-large': '{key} 的值超过 {limit} 字节，请改为放进服务的文件。',
  'config-template-too-long': '模板最多 262,144 个字符',
  'config-project-taken': '本团队已有名为 {name} 的配置项目，请换一个名称。',
  'config-profile-taken': '项目 {project} 已有名为 {name} 的配置集，请换一个名称。',
  'config-template-taken': '项目 {project} 已有名为 {name} 的模板，请换一个名称。',
  'config-key-taken': '{profile} 已有键 {key}，请直接修改它的值。',
  'config-key-gone': '{profile} 中的键 {key} 已被删除。如仍需要，请重新添加。',
  'config-key-changed': '您打开之后，{by} 修改了 {key}，现在的值是：{value}。请重新打开后再修改。',
  'config-profile-changed': '您打开之后，{by} 修改了配置集 {name}，现在是第 {revision} 版。请重新打开后再修改。',
  'config-template-changed': '您打开之后，{by} 修改了模板 {name}，现在是第 {revision} 版。请重新打开后再修改。',
  'config-in-use':
    '有 {count} 个服务正在读取 {name}：{services}。请先在这些服务中改用其他配置；仍可回滚的服务也计算在内。',
  'config-name-in-use':
    '有 {count} 个服务按名称引用 {name}，改名后将找不到它：{services}。请克隆项目，或先在这些服务中改用其他配置。',
  'config-read-meanwhile': '服务 {service} 刚刚开始读取此配置，请重试。',
  'config-profile-unknown': '本团队没有配置集 {project}/{profile}。请选择已有的配置集，或先创建它。',
  'config-template-unknown': '配置项目 {project} 没有模板 {template}。请选择已有的模板，或先创建它。',
  'config-keys-missing':
    '服务 {service} 的模板 {template} 需要 {profile} 中没有的键：{keys}。请先添加这些键，或从模板中去掉它们。',
  'config-files-too-large':
    '服务 {service} 的文件合计将达到 {size} 字节，Kubernetes 最多接受 {limit} 字节。请缩短模板或值。',
  'config-rendered-too-large': '代入 {profile} 的值后，模板 {template} 过大，无法显示。请缩短模板或值。',
  'config-mask-without-secret': '星号代表已保存的机密值，而 {key} 没有这样的值。请输入实际的值。',
  'config-mask-not-plain': '要让 {key} 不再保密，请输入它的值：已保存的机密值不会再显示。',
  'config-return-same': '所有键与第 {revision} 版已相同，无需恢复。',

  'config-projects-limit': '每个团队最多 {limit} 个配置项目。请删除不再使用的项目。',
  'config-profiles-limit': '每个项目最多 {limit} 个配置集。请删除不再使用的配置集，或另建项目。',
  'config-keys-limit': '每个配置集最多 {limit} 个键。请拆分成多个项目。',
  'config-values-limit': '一个配置集的键和值合计最多 {limit} 字节，现在是 {size} 字节。请拆分成多个项目。',
  'config-templates-limit': '每个项目最多 {limit} 个模板。请删除不再使用的模板。',
  'config-template-set-limit': '一个项目的模板合计最多 {limit} 字节，现在是 {size} 字节。请缩短或删除一些模板。',

  'config-import-name': '导入文件格式错误：{name} 不是 .properties、.yaml 或 .yml 文件。请选择以此结尾的文件。',
  'config-import-encoding': '导入文件格式错误：文件不是 UTF-8 文本。请另存为 UTF-8。',
  'config-import-yaml': '导入文件格式错误，第 {line} 行：这里只能是键和文本，或键下面的键；不能有列表和引用。',
  'config-import-escape': '导入文件格式错误，第 {line} 行：反斜杠和 u 之后应是四位十六进制数字。',
  'config-import-key':
    '导入文件格式错误，第 {line} 行：“{key}”不能作为键。键只能包含字母、数字、连字符、下划线和点，且不能以数字开头。',
  'config-import-twice': '导入文件格式错误，第 {line} 行：键 {key} 重复。',
  'config-import-value': '导入文件格式错误，第 {line} 行：{key} 的值超过 65,536 字节，或含有空字符。',
  'config-import-mask':
    '导入文件格式错误，第 {line} 行：星号代表已保存的机密值，而这里的 {key} 没有。请写上实际的值，或删去这一行。',
} satisfies Record<keyof typeof en, string>
