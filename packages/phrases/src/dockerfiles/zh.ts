import type { en } from './en.ts'

export const zh = {
  // Refusals
  'dockerfiles-name-taken': '团队中已存在名为 {name} 的 Dockerfile，请更换名称',
  'dockerfiles-changed-since': '在您打开之后，{by} 修改了 Dockerfile {name}。请重新打开查看其修改，再作您的修改。',
  'dockerfiles-in-use':
    '有 {count} 条流水线在使用 Dockerfile {name}：{pipelines}。请先在其镜像步骤中改用其他 Dockerfile。',
  'dockerfile-name-too-long': 'Dockerfile 的名称最多 255 个字符',
  'dockerfile-content-required': '请输入指令，以 FROM 开头',
  'dockerfile-too-long': 'Dockerfile 最多 100,000 个字符',
  'dockerfile-required': '请选择 Dockerfile',
  'dockerfile-needs-method': '只有“dockerfile”方式才使用 Dockerfile 构建',
  'place-invalid': '请输入工作区内的相对路径，不含“..”和通配符',
  'argument-name': '只能使用字母、数字和下划线，且不能以数字开头',
  'argument-value': '值中含有命令行无法传递的字符',
  'target-invalid': '阶段名称由字母、数字、点、连字符和下划线组成',

  // The list
  'dockerfiles-ui-about': '供团队流水线的镜像步骤构建镜像使用的 Dockerfile',
  'dockerfiles-ui-create': '创建 Dockerfile',
  'dockerfiles-ui-search': '按名称或描述搜索',
  'dockerfiles-ui-name': '名称',
  'dockerfiles-ui-description': '描述',
  'dockerfiles-ui-pipelines': '流水线',
  'dockerfiles-ui-none': '还没有 Dockerfile',
  'dockerfiles-ui-none-memo':
    '保存在这里的 Dockerfile 可供任意多条流水线使用。属于某个代码仓库的 Dockerfile 最好放在该仓库中，镜像步骤两者都可使用。',
  'dockerfiles-ui-open': '打开',
  'dockerfiles-ui-clone': '克隆',
  'dockerfiles-ui-clone-title': '克隆 Dockerfile {name}',
  'dockerfiles-ui-clone-help': '留空则使用第一个可用的名称',
  'dockerfiles-ui-delete-title': '删除 Dockerfile {name}？',
  'dockerfiles-ui-delete-text': '没有流水线在使用它。用它构建的镜像会保留。',

  // One Dockerfile
  'dockerfiles-ui-edit-title': 'Dockerfile {name}',
  'dockerfiles-ui-content': '指令',
  'dockerfiles-ui-findings': '可改进之处',
  'dockerfiles-ui-fine': '没有发现可改进之处',
  'dockerfiles-ui-finding': '第 {line} 行：{text}',
  'dockerfiles-ui-severity-error': '错误',
  'dockerfiles-ui-severity-warning': '警告',
  'dockerfiles-ui-severity-info': '提示',

  // Findings
  'dockerfiles-lint-no-from': '缺少 FROM：请指定基础镜像，或写 FROM scratch',
  'dockerfiles-lint-from-first': '{instruction} 位于第一个 FROM 之前，那里只能出现 ARG',
  'dockerfiles-lint-from-format': '应写为 FROM image:tag，或 FROM image:tag AS name',
  'dockerfiles-lint-unknown': '没有名为 {instruction} 的指令',
  'dockerfiles-lint-empty': '{instruction} 后面缺少内容',
  'dockerfiles-lint-heredoc-open': '从这里开始的文本没有结束：缺少单独一行的 {end}',
  'dockerfiles-lint-stage-twice': '前面已有名为 {name} 的阶段',
  'dockerfiles-lint-stage-unknown': '--from={name} 不是前面的阶段',
  'dockerfiles-lint-port': '{port} 不是端口：请使用 1 至 65535，可加 /tcp 或 /udp',
  'dockerfiles-lint-exec-form': '{instruction} 的方括号不是 JSON，会原样交给 shell。请使用双引号。',
  'dockerfiles-lint-latest': '{image} 在每次构建时都是最新版本。请指定版本或摘要。',
  'dockerfiles-lint-add-url': 'ADD 每次构建都会未经校验地下载 {url}。请用 RUN 下载并核对校验和。',
  'dockerfiles-lint-add-local': '这里用 COPY 效果相同，且不会意外解压',
  'dockerfiles-lint-workdir-relative': 'WORKDIR {path} 取决于基础镜像，请以 / 开头',
  'dockerfiles-lint-maintainer': 'MAINTAINER 已废弃，请使用 LABEL org.opencontainers.image.authors',
  'dockerfiles-lint-only-last': '本阶段后面的 {instruction} 会取代这一条',
  'dockerfiles-lint-user-root': '容器以 root 运行。请在最后用 USER 切换到无特权的用户。',
  'dockerfiles-lint-secret': '任何拥有该镜像的人都能读到 {name} 的值。请在启动容器时再传入密钥。',
  'dockerfiles-lint-sudo': '不需要 sudo：RUN 以最近一个 USER 的身份执行',
  'dockerfiles-lint-apt-asks': 'apt 安装前会询问，而无人应答。请加上 -y。',
  'dockerfiles-lint-run-cd': '下一条指令看不到这次目录切换，请使用 WORKDIR',
} satisfies Record<keyof typeof en, string>
