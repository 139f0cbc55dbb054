/** For tests of hosts: parents that follow a script, a person who answers by a script, and what recovery needs, faked. */
export * from "./FakeApprover.ts"
export * from "./FakeRunner.ts"
export * from "./FakeTools.ts"
export * from "./ScriptedParent.ts"
