package dev.idspring.integration.shutdown;

import org.springframework.data.repository.CrudRepository;

interface Letters extends CrudRepository<LateSavingShop.Letter, Long> {

}
