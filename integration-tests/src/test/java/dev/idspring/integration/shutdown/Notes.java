package dev.idspring.integration.shutdown;

import org.springframework.data.jpa.repository.JpaRepository;

interface Notes extends JpaRepository<LateSavingShop.Note, Long> {

}
