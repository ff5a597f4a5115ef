package dev.idspring.integration.shutdown;

import org.springframework.data.repository.CrudRepository;

interface Memos extends CrudRepository<LateSavingShop.Memo, Long> {

}
