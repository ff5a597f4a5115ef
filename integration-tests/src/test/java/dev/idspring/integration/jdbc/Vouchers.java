package dev.idspring.integration.jdbc;

import org.springframework.data.repository.ListCrudRepository;

interface Vouchers extends ListCrudRepository<Voucher, Long> {

}
