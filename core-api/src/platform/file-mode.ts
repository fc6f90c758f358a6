/** New files of a folder with this bit get its group: core and edge of two users share such a data folder. */
export const SET_GROUP_ID = 0o2000;
