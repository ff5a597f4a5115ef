package dev.idspring.integration.web;

import org.springframework.data.jpa.repository.JpaRepository;

interface Reminders extends JpaRepository<Reminder, Long> {

}
