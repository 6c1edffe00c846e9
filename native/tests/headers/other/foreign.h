int foreign(void);
