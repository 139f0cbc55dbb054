export * from "./judgeAlone.ts"
