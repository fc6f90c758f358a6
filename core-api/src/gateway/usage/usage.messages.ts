export const usageMessages = { range: 'O período é day, week ou month.' } as const;
