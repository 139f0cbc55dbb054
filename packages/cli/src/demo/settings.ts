/** The rules of the demo, layer by layer, as the files hold them. */

const text = (permissions: unknown) => `${JSON.stringify({ permissions }, null, 2)}\n`

/** What organisation, person and project say. The project's file is committed with the repository. */
export const settings = {
  policy: text({
    allow: ["WebFetch(domain:127.0.0.1)"],
    deny: [{ rule: "Bash(curl:*)", reason: "data leaves this machine through the fetch tool only" }]
  }),
  user: text({
    allow: ["Bash(node --test:*)"],
    ask: [{ rule: "Bash(git commit:*)", reason: "I read every commit before it is made" }]
  }),
  projectShared: text({
    allow: ["Edit(src/**)", "Edit(CHANGELOG.md)"],
    ask: [{ rule: "Bash(node scripts/publish.mjs:*)", reason: "what is published can't be taken back" }]
  })
} as const
