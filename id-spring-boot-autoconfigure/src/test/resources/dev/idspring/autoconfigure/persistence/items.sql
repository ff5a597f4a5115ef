insert into items (id, code) values (1, 'by script');
