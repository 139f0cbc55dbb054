import { assert, describe, it } from "@effect/vitest"
import { lint, type Layers } from "./linting.ts"

/** Settings as people have them, and nothing wrong with any. */
const plain: Readonly<Record<string, Layers>> = {
  "a web application": {
    user: {
      permissions: {
        allow: ["Bash(npm run lint:*)", "Bash(npm run test:*)", "Bash(npm test)", "Bash(npm install)", "Edit(src/**)"],
        ask: ["Bash(git push:*)", "Bash(npm publish:*)"],
        deny: ["Read(.env)", "Read(.env.*)", "Read(./secrets/**)"]
      }
    }
  },
  "a Python service": {
    user: {
      permissions: {
        allow: ["Bash(pytest:*)", "Bash(ruff check:*)", "Bash(uv run pytest:*)", "Edit(src/**)", "Edit(tests/**)"],
        deny: ["Read(**/*.pem)", "Bash(pip install:*)"]
      }
    }
  },
  "a Rust library": {
    projectShared: {
      permissions: {
        allow: ["Bash(cargo build:*)", "Bash(cargo test:*)", "Bash(cargo clippy:*)", "Bash(cargo fmt)", "Edit(src/**)"],
        ask: ["Bash(cargo publish:*)"],
        defaultMode: "acceptEdits"
      }
    }
  },
  "a Go service with a Makefile that nobody edits": {
    user: {
      permissions: {
        allow: ["Bash(go test:*)", "Bash(go build:*)", "Bash(go vet:*)", "Bash(make build)", "Edit(internal/**)"]
      }
    }
  },
  "a strict policy above a user": {
    policy: {
      permissions: {
        deny: ["Bash(sudo:*)", "Bash(rm -rf:*)", "Bash(curl:*)", "Bash(wget:*)", "WebFetch", "Read(~/.ssh/**)"],
        ask: ["Bash(git push:*)"]
      },
      disable: ["yolo"]
    },
    user: { permissions: { allow: ["Bash(git commit:*)", "Bash(git add:*)", "Bash(git checkout:*)"] } }
  },
  "tools of servers": {
    user: {
      permissions: {
        allow: ["mcp__github__get_*", "mcp__github__list_issues", "mcp__linear", "mcp__docs__search"],
        ask: ["mcp__linear__create_issue"],
        deny: ["mcp__github__delete_*"]
      },
      tools: { mcp__docs__search: { readOnly: true } }
    }
  },
  "somebody who reads a lot": {
    user: {
      permissions: {
        allow: [
          "WebFetch(domain:docs.rs)",
          "WebFetch(domain:*.readthedocs.io)",
          "Read(~/notes/**)",
          "Read(/usr/share/doc/**)"
        ],
        additionalDirectories: ["~/notes"]
      }
    }
  },
  "a team and one of its people": {
    projectShared: {
      permissions: { allow: ["Bash(npm run build)", "Edit(src/**)"], deny: ["Edit(src/generated/**)"] },
      disallowedTools: ["NotebookEdit"]
    },
    projectLocal: { permissions: { allow: ["Bash(npm run build)", "Bash(npm run dev:*)"] } },
    user: { permissions: { allow: ["Bash(ls:*)", "Bash(cat:*)", "Bash(grep:*)", "Bash(mkdir:*)"] } }
  },
  "operations, looking only": {
    user: {
      permissions: {
        allow: [
          "Bash(kubectl get:*)",
          "Bash(kubectl logs:*)",
          "Bash(docker ps:*)",
          "Bash(docker compose up:*)",
          "Bash(terraform plan:*)",
          "Bash(aws s3 ls:*)",
          "Bash(gh pr view:*)"
        ],
        deny: ["Bash(kubectl delete:*)", "Bash(terraform apply:*)", "Bash(terraform destroy:*)"]
      }
    }
  },
  "rules with conditions and reasons": {
    user: {
      permissions: {
        allow: [
          { rule: "Bash(git push origin main)", modes: ["acceptEdits"], reason: "I release from here" },
          { rule: "Bash(deploy staging)", agents: ["release"], expiresAt: "2030-01-01" },
          { rule: "Bash(echo *)", exact: true }
        ],
        deny: [
          { rule: "Bash(git push --force:*)", reason: "history stays" },
          { rule: "Edit(migrations/**)", reason: "write a new one", agents: ["child"] }
        ]
      },
      tools: { deploy: { tier: "confirm" }, transfer: { alwaysAsk: true } },
      allowedTools: ["search"]
    }
  },
  "nothing at all": { user: {} },
  "what people write every day": {
    user: {
      permissions: {
        allow: [
          "Bash(git status)",
          "Bash(git diff:*)",
          "Bash(git log:*)",
          "Bash(npx tsc:*)",
          "Bash(npx vitest run:*)",
          "Bash(node --version)",
          "Bash(python -m pytest:*)",
          "Bash(rg:*)",
          "Bash(sed -n:*)",
          "Bash(cd:*)",
          "Bash(npm run test*)",
          "Edit(docs/**)",
          "Edit(*.md)"
        ],
        deny: ["Bash(rm:*)", "Edit(.git/**)", "Read(*.key)"]
      }
    }
  }
}

describe("lint has nothing to say about", () => {
  for (const [name, layers] of Object.entries(plain)) {
    it(`${name}`, () => {
      const { findings, problems } = lint(layers)
      assert.deepStrictEqual(
        [...problems, ...findings].map(({ message }) => message),
        []
      )
    })
  }
})
