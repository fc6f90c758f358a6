/** Mode bit of a folder: new files get the folder's group. A core and an edge of two users share such a folder. */
export const SET_GROUP_ID = 0o2000;
